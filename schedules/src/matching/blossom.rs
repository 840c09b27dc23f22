//! Blossoms: odd cycles of tight edges that count as one vertex.

use super::{Matching, NONE, Weight};

/// A blossom: an odd cycle of nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Blossom<W> {
    /// The nodes around the cycle, the one with the base first.
    pub kids: Vec<u32>,
    /// The edge from each kid to the next: the vertex in this kid, the vertex in the next.
    pub links: Vec<(u32, u32)>,
    /// All vertices inside.
    pub members: Vec<u32>,
    /// The dual variable: even, never negative.
    pub dual: W,
}

impl<W: Weight> Matching<W> {
    pub(super) fn blossom(&self, node: usize) -> &Blossom<W> {
        &self.blossoms[node - self.size]
    }

    /// The vertices inside a node.
    pub(super) fn members(&self, node: usize) -> Vec<u32> {
        if node < self.size {
            vec![node as u32]
        } else {
            self.blossom(node).members.clone()
        }
    }

    /// Contracts a cycle to one node; its base is that of the first kid.
    pub(super) fn contract(&mut self, kids: Vec<u32>, links: Vec<(u32, u32)>) -> Option<usize> {
        let node = self.unused.pop()? as usize;
        let mut members = Vec::new();
        for kid in &kids {
            members.extend(self.members(*kid as usize));
        }
        for member in &members {
            self.tops[*member as usize] = node as u32;
        }
        for kid in &kids {
            self.around[*kid as usize] = node as u32;
        }
        self.bases[node] = self.bases[kids[0] as usize];
        self.around[node] = NONE;
        self.blossoms[node - self.size] = Blossom {
            kids,
            links,
            members,
            dual: W::default(),
        };
        Some(node)
    }

    /// Makes the kids of an outermost blossom outermost again, and returns the blossom that was.
    pub(super) fn release(&mut self, node: usize) -> Blossom<W> {
        let blossom = std::mem::take(&mut self.blossoms[node - self.size]);
        for kid in &blossom.kids {
            self.around[*kid as usize] = NONE;
            for member in self.members(*kid as usize) {
                self.tops[member as usize] = *kid;
            }
        }
        self.unused.push(node as u32);
        blossom
    }

    /// Releases a blossom whatever its dual variable, which is added to those of its vertices. Edges out of it are no
    /// longer tight then, so its pair is unmatched.
    pub(super) fn dissolve(&mut self, node: usize) {
        let base = self.bases[node] as usize;
        let blossom = self.release(node);
        if blossom.dual == W::default() {
            return;
        }
        for member in blossom.members {
            let dual = &mut self.duals[member as usize];
            *dual = *dual + blossom.dual.half();
        }
        self.part(base);
    }

    /// Makes `vertex` the base of `node`, and changes the pairs inside accordingly. Blossoms may be nested as deep
    /// as the graph is large, so the turns still to be made are on a list instead of the stack.
    pub(super) fn rebase(&mut self, node: usize, vertex: usize) {
        let mut owed = vec![(node, vertex)];
        while let Some((node, vertex)) = owed.pop() {
            if node >= self.size && self.bases[node] != vertex as u32 {
                self.turn(node, vertex, &mut owed);
            }
            self.bases[node] = vertex as u32;
        }
    }

    /// Turns one cycle so that the kid with `vertex` comes first.
    fn turn(&mut self, node: usize, vertex: usize, owed: &mut Vec<(usize, usize)>) {
        let mut kid = vertex;
        while self.around[kid] != node as u32 {
            kid = self.around[kid] as usize;
        }
        owed.push((kid, vertex));
        let blossom = &mut self.blossoms[node - self.size];
        let Some(place) = blossom.kids.iter().position(|k| *k == kid as u32) else {
            return;
        };
        let length = blossom.kids.len();
        let changed = if place % 2 == 0 {
            0..place
        } else {
            place + 1..length
        };
        for i in changed.step_by(2) {
            let (x, y) = blossom.links[i];
            self.mates[x as usize] = y;
            self.mates[y as usize] = x;
            owed.push((blossom.kids[i] as usize, x as usize));
            owed.push((blossom.kids[(i + 1) % length] as usize, y as usize));
        }
        blossom.kids.rotate_left(place);
        blossom.links.rotate_left(place);
    }
}
