//! Blossoms: odd cycles of tight edges that count as one vertex.

use super::{Matching, NONE, Weight};

/// A blossom: an odd cycle of nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Blossom<W> {
    /// The nodes around the cycle, the one with the base first.
    pub kids: Vec<usize>,
    /// The edge from each kid to the next: the vertex in this kid, the vertex in the next.
    pub links: Vec<(usize, usize)>,
    /// All vertices inside.
    pub members: Vec<usize>,
    /// The dual variable: even, never negative.
    pub dual: W,
}

impl<W: Weight> Matching<W> {
    pub(super) fn blossom(&self, node: usize) -> &Blossom<W> {
        &self.blossoms[node - self.size]
    }

    /// The vertices inside a node.
    pub(super) fn members(&self, node: usize) -> Vec<usize> {
        if node < self.size {
            vec![node]
        } else {
            self.blossom(node).members.clone()
        }
    }

    /// Contracts a cycle to one node; its base is that of the first kid.
    pub(super) fn contract(
        &mut self,
        kids: Vec<usize>,
        links: Vec<(usize, usize)>,
    ) -> Option<usize> {
        let node = self.unused.pop()?;
        let mut members = Vec::new();
        for kid in &kids {
            members.extend(self.members(*kid));
        }
        for member in &members {
            self.tops[*member] = node;
        }
        for kid in &kids {
            self.around[*kid] = node;
        }
        self.bases[node] = self.bases[kids[0]];
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
            self.around[*kid] = NONE;
            for member in self.members(*kid) {
                self.tops[member] = *kid;
            }
        }
        self.unused.push(node);
        blossom
    }

    /// Releases a blossom whatever its dual variable, which is added to those of its vertices. Edges out of it are no
    /// longer tight then, so its pair is unmatched.
    pub(super) fn dissolve(&mut self, node: usize) {
        let base = self.bases[node];
        let blossom = self.release(node);
        if blossom.dual == W::default() {
            return;
        }
        for member in blossom.members {
            let dual = &mut self.duals[member];
            *dual = *dual + blossom.dual.half();
        }
        self.part(base);
    }

    /// Makes `vertex` the base of `node`, and changes the pairs inside accordingly. Blossoms may be nested as deep
    /// as the graph is large, so the turns still to be made are on a list instead of the stack.
    pub(super) fn rebase(&mut self, node: usize, vertex: usize) {
        let mut owed = vec![(node, vertex)];
        while let Some((node, vertex)) = owed.pop() {
            if node >= self.size && self.bases[node] != vertex {
                self.turn(node, vertex, &mut owed);
            }
            self.bases[node] = vertex;
        }
    }

    /// Turns one cycle so that the kid with `vertex` comes first.
    fn turn(&mut self, node: usize, vertex: usize, owed: &mut Vec<(usize, usize)>) {
        let mut kid = vertex;
        while self.around[kid] != node {
            kid = self.around[kid];
        }
        owed.push((kid, vertex));
        let blossom = &mut self.blossoms[node - self.size];
        let Some(place) = blossom.kids.iter().position(|k| *k == kid) else {
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
            self.mates[x] = y;
            self.mates[y] = x;
            owed.push((blossom.kids[i], x));
            owed.push((blossom.kids[(i + 1) % length], y));
        }
        blossom.kids.rotate_left(place);
        blossom.links.rotate_left(place);
    }
}
