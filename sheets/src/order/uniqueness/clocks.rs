//! Vector clocks: for each ply, how many plies of each board around it precede it in every order.

use super::PlyAt;

/// Vector clocks that cover, for each ply, the same number of boards around its own.
#[derive(Default)]
pub struct Clocks {
    /// How many boards there are in all.
    boards: usize,
    width: usize,
    counts: Vec<u32>,
}

impl Clocks {
    /// Clocks that cover `width` of so many boards, or all.
    pub fn of_width(width: usize, boards: usize) -> Self {
        Self {
            boards,
            width: width.min(boards),
            counts: Vec::new(),
        }
    }

    pub const fn width(&self) -> usize {
        self.width
    }

    /// The first board covered by the clocks of a board.
    pub fn start(&self, board: usize) -> usize {
        board
            .saturating_sub(self.width / 2)
            .min(self.boards - self.width)
    }

    /// The index of another board in the clock of a board; `None` if it is not covered.
    pub fn index(&self, board: usize, of: usize) -> Option<usize> {
        of.checked_sub(self.start(board))
            .filter(|index| *index < self.width)
    }

    /// Computes them for plies in order; `before` lists the places that each comes after.
    pub fn wind(&mut self, plies: &[PlyAt], before: impl Fn(usize, &mut dyn FnMut(usize))) {
        self.counts = vec![0; self.width * plies.len()];
        let mut own = vec![0; self.width];
        for (place, ply) in plies.iter().enumerate() {
            own.fill(0);
            before(place, &mut |earlier| {
                self.enter(plies, earlier, ply.board, &mut own);
            });
            if let Some(index) = self.index(ply.board, ply.board) {
                own[index] = ply.at;
            }
            let counts = &mut self.counts[place * self.width..][..self.width];
            for (count, own) in counts.iter_mut().zip(&own) {
                *count = *own as u32;
            }
        }
    }

    /// Enters a ply, and all before it, in what is made of the boards around another.
    pub fn enter(&self, plies: &[PlyAt], place: usize, board: usize, made: &mut [usize]) {
        let PlyAt { board: from, at } = plies[place];
        let (here, there) = (self.start(board), self.start(from));
        for of in here.max(there)..(here.min(there) + self.width) {
            let count = self.counts[place * self.width + of - there] as usize;
            made[of - here] = made[of - here].max(count);
        }
        if let Some(index) = self.index(board, from) {
            made[index] = made[index].max(at + 1);
        }
    }

    /// How many plies of a board precede a ply; 0 where its clock does not cover that board.
    pub fn reports(&self, plies: &[PlyAt], place: usize, of: usize) -> usize {
        self.index(plies[place].board, of)
            .map_or(0, |index| self.counts[place * self.width + index] as usize)
    }

    /// What is made of the boards around at the least when a ply is next on its board.
    pub fn begun(
        &self,
        plies: &[PlyAt],
        places: &[Vec<usize>],
        PlyAt { board, at }: PlyAt,
    ) -> Vec<usize> {
        let mut made = vec![0; self.width];
        if let Some(before) = at.checked_sub(1) {
            self.enter(plies, places[board][before], board, &mut made);
        }
        made
    }
}
