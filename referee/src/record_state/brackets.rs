//! The brackets that are open at one place in a record.

/// Open blocks and variations.
#[derive(Default)]
pub struct Brackets {
    blocks: usize,
    /// Those of the blocks that belong to a game other than the record's; their contents are not judged.
    foreign: usize,
    variations: usize,
    /// Blocks that cannot be read; oddities inside follow from that.
    unreadable: usize,
    /// Blocks in which something is read, of any game.
    depth: usize,
    /// How many blocks were open around something reported as misplaced, until the innermost of them closes.
    misplaced: Option<usize>,
    /// Whether the text ends while something is open, which has been reported.
    broken_off: bool,
}

impl Brackets {
    /// Whether no variation is open.
    #[inline]
    #[must_use]
    pub const fn at_main_line(&self) -> bool {
        self.variations == 0
    }

    /// Whether no block is open.
    #[must_use]
    pub const fn outside_blocks(&self) -> bool {
        self.blocks == 0
    }

    /// Whether a block of another game is open.
    #[inline]
    #[must_use]
    pub const fn in_foreign(&self) -> bool {
        self.foreign > 0
    }

    /// Whether a block that cannot be read is open.
    #[must_use]
    pub const fn in_unreadable(&self) -> bool {
        self.unreadable > 0
    }

    /// Whether something around this place was reported as misplaced.
    #[must_use]
    pub const fn in_misplaced(&self) -> bool {
        self.misplaced.is_some()
    }

    /// So many variations are open from here on.
    pub const fn set_variations(&mut self, open: usize) {
        self.variations = open;
    }

    /// A block of this game opens.
    pub const fn open(&mut self) {
        self.blocks += 1;
    }

    /// A block closes.
    pub const fn close(&mut self) {
        self.blocks = self.blocks.saturating_sub(1);
    }

    /// A block of another game opens. Returns whether it is the outermost one.
    pub const fn open_foreign(&mut self) -> bool {
        self.open();
        self.foreign += 1;
        self.foreign == 1
    }

    /// A block of another game closes, where one was open. Returns whether one was.
    pub const fn close_foreign(&mut self) -> bool {
        if self.foreign == 0 {
            return false;
        }
        self.foreign -= 1;
        self.close();
        true
    }

    /// A block opens that cannot be read.
    pub const fn open_unreadable(&mut self) {
        self.unreadable += 1;
    }

    /// A block closes that cannot be read.
    pub const fn close_unreadable(&mut self) {
        self.unreadable = self.unreadable.saturating_sub(1);
    }

    /// Something is misplaced here.
    pub fn misplace(&mut self) {
        self.misplaced.get_or_insert(self.depth);
    }

    /// How many blocks of any game are open.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// A block of any game opens.
    pub const fn enter(&mut self) {
        self.depth += 1;
    }

    /// A block of any game closes: what was misplaced in it is over.
    pub fn leave(&mut self) {
        self.misplaced.take_if(|around| self.depth <= *around);
        self.depth = self.depth.saturating_sub(1);
    }

    /// The text ends here, and something is open. Returns whether that is known already.
    pub const fn break_off(&mut self) -> bool {
        std::mem::replace(&mut self.broken_off, true)
    }
}
