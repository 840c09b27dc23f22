//! Perfect matchings of maximum weight in a dense graph.
//!
//! Edmonds' blossom algorithm with dual variables, one tree at a time: O(n²) for each pair of vertices that is
//! not matched yet, so O(n³) for a new graph. After a change of some edges only the vertices that they touch are
//! matched again, so a sequence of small changes costs O(n²) each.
//!
//! The graph need not have a perfect matching; the proof that it has none is a [`Barrier`].
//!
//! ```
//! use overboard_schedules::matching::Matching;
//!
//! let mut square = Matching::<i64>::new(4);
//! for (u, v, weight) in [(0, 1, 5), (1, 2, 9), (2, 3, 5), (3, 0, 2)] {
//!     square.set(u, v, Some(weight));
//! }
//! assert_eq!(square.solve(), Ok(11));
//! assert_eq!(square.mate(0), Some(3));
//! square.set(3, 0, None);
//! assert_eq!(square.solve(), Ok(10));
//! square.set(2, 3, None);
//! assert!(square.solve().is_err());
//! ```

mod blossom;
mod tree;
mod weight;

use blossom::Blossom;
use tree::Tree;
pub use weight::{Weight, Wide};

/// The weight of edges that all weigh the same, namely nothing, in the least memory.
pub type Alike = i8;

/// No vertex, no node.
const NONE: usize = usize::MAX;
/// The most vertices of a graph; of so many, the tables would take 50 GB.
const MOST: usize = u16::MAX as usize;

/// A graph and its best perfect matching so far.
///
/// Vertices are 0..n; nodes are the vertices and, from n on, the blossoms (odd cycles of tight edges
/// that count as one vertex). Weights are stored doubled, so that all dual variables are integers.
#[derive(Clone, Debug)]
pub struct Matching<W> {
    size: usize,
    /// Row by row, doubled; [`Weight::ABSENT`] where there is no edge.
    weights: Vec<W>,
    /// One for each vertex: y(u) + y(v) is never less than the doubled weight of an edge outside blossoms.
    duals: Vec<W>,
    mates: Vec<usize>,
    /// The outermost node that contains each vertex.
    tops: Vec<usize>,
    /// The blossom that directly contains each node.
    around: Vec<usize>,
    /// The vertex of each node that is matched outside it.
    bases: Vec<usize>,
    /// Node n is at index 0.
    blossoms: Vec<Blossom<W>>,
    unused: Vec<usize>,
    /// Vertices whose dual variable must be chosen again, since an edge of theirs has changed.
    loose: Vec<bool>,
    tree: Tree,
}

/// Why there is no perfect matching (Tutte): without the `cut` vertices the graph falls apart into more parts of
/// odd size than the cut has vertices to match them with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// The vertices of the cut, ascending.
    pub cut: Vec<usize>,
    /// Parts of odd size, one more than the cut has vertices, each ascending.
    pub parts: Vec<Vec<usize>>,
}

impl<W: Weight> Matching<W> {
    /// A graph of `size` vertices without any edge.
    ///
    /// # Panics
    /// With 65,536 vertices or more.
    #[must_use]
    pub fn new(size: usize) -> Self {
        assert!(size <= MOST, "{size} vertices are more than {MOST}");
        let nodes = size + size / 2;
        Self {
            size,
            weights: vec![W::ABSENT; size * size],
            duals: vec![W::default(); size],
            mates: vec![NONE; size],
            tops: (0..size).collect(),
            around: vec![NONE; nodes],
            bases: (0..nodes).collect(),
            blossoms: vec![Blossom::default(); nodes - size],
            unused: (size..nodes).rev().collect(),
            loose: vec![true; size],
            tree: Tree::new(size, nodes),
        }
    }

    /// A graph with the weights that `weight` returns for `u < v`; `None` is no edge.
    #[must_use]
    pub fn with(size: usize, weight: impl Fn(usize, usize) -> Option<W>) -> Self {
        let mut matching = Self::new(size);
        for u in 0..size {
            for v in u + 1..size {
                if let Some(weight) = weight(u, v) {
                    matching.write(u, v, weight + weight);
                }
            }
        }
        matching
    }

    /// The number of vertices.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The weight of an edge, if it exists.
    #[must_use]
    pub fn weight(&self, u: usize, v: usize) -> Option<W> {
        let doubled = self.weights[u * self.size + v];
        if doubled == W::ABSENT {
            return None;
        }
        Some(doubled.half())
    }

    /// Changes an edge between two vertices, or removes it.
    ///
    /// Sums of `n` weights, and four times such a sum, must fit into `W`.
    pub fn set(&mut self, u: usize, v: usize, weight: Option<W>) {
        let doubled = weight.map_or(W::ABSENT, |weight| weight + weight);
        let old = self.weights[u * self.size + v];
        if doubled == old || u == v {
            return;
        }
        let settled = !self.loose[u] && !self.loose[v];
        if settled && (self.tops[u] == self.tops[v] || doubled > self.duals[u] + self.duals[v]) {
            self.loosen(u);
        } else if self.mates[u] == v {
            self.part(u);
        }
        self.write(u, v, doubled);
    }

    fn write(&mut self, u: usize, v: usize, doubled: W) {
        self.weights[u * self.size + v] = doubled;
        self.weights[v * self.size + u] = doubled;
    }

    /// The vertex that `v` is matched with.
    #[must_use]
    pub fn mate(&self, v: usize) -> Option<usize> {
        match self.mates[v] {
            NONE => None,
            mate => Some(mate),
        }
    }

    /// Finds a perfect matching of maximum weight and returns its weight.
    ///
    /// # Errors
    /// The proof that there is no perfect matching.
    pub fn solve(&mut self) -> Result<W, Barrier> {
        self.choose_duals();
        self.match_tight_edges();
        for v in 0..self.size {
            if self.is_unmatched(v) {
                self.augment_from(v)?;
            }
        }
        Ok(self.total())
    }

    fn total(&self) -> W {
        let mut twice = W::default();
        for v in 0..self.size {
            twice = twice + self.weights[v * self.size..][self.mates[v]].half();
        }
        twice.half()
    }

    /// Gives loose vertices dual variables that cover all their edges.
    fn choose_duals(&mut self) {
        for v in 0..self.size {
            if self.loose[v] {
                self.duals[v] = self.needed(v).unwrap_or_default();
            }
        }
        self.loose.fill(false);
    }

    /// The dual variable that a loose vertex needs at the least.
    fn needed(&self, v: usize) -> Option<W> {
        let mut needed = None;
        for u in 0..self.size {
            let doubled = self.weights[v * self.size + u];
            if doubled == W::ABSENT {
                continue;
            }
            let own = if self.loose[u] {
                doubled.half()
            } else {
                doubled - self.duals[u]
            };
            needed = needed.max(Some(own));
        }
        needed
    }

    /// Matches unmatched vertices greedily over edges without slack: a cheap start.
    fn match_tight_edges(&mut self) {
        let single = |matching: &Self, v: usize| matching.mates[v] == NONE && matching.tops[v] == v;
        for u in 0..self.size {
            if !single(self, u) {
                continue;
            }
            let row = &self.weights[u * self.size..][..self.size];
            let tight = |v: &usize| {
                *v != u && row[*v] == self.duals[u] + self.duals[*v] && single(self, *v)
            };
            if let Some(v) = (0..self.size).find(tight) {
                self.pair(u, v);
            }
        }
    }

    fn pair(&mut self, u: usize, v: usize) {
        self.mates[u] = v;
        self.mates[v] = u;
    }

    /// Unmatches a vertex and its mate.
    fn part(&mut self, v: usize) {
        if let Some(mate) = self.mate(v) {
            self.mates[v] = NONE;
            self.mates[mate] = NONE;
        }
    }

    /// Removes a vertex from all blossoms and from its pair.
    fn loosen(&mut self, v: usize) {
        while self.tops[v] != v {
            self.dissolve(self.tops[v]);
        }
        self.part(v);
        self.loose[v] = true;
    }

    /// Whether an edge is tight after [`solve`](Self::solve). Without blossoms, as in a bipartite graph, the best
    /// perfect matchings are exactly the perfect matchings of tight edges.
    #[must_use]
    pub fn is_tight(&self, u: usize, v: usize) -> bool {
        let there = self.weights[u * self.size + v] != W::ABSENT;
        there && self.slack(u, v) == W::default()
    }

    /// How far an edge between two top nodes is from being tight. The edge must exist.
    fn slack(&self, u: usize, v: usize) -> W {
        self.duals[u] + self.duals[v] - self.weights[u * self.size + v]
    }
}
