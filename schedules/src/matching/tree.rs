//! One alternating tree, grown from an unmatched node until it reaches another.

use super::{Barrier, Matching, NONE, Weight};

/// No edge between two slots. A table of zeros takes memory only where it is written.
const NO_EDGE: (u16, u16) = (0, 0);

/// Where a top node is in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// Not in the tree.
    Free,
    /// An even number of edges from the root.
    Outer,
    /// An odd number of edges from the root.
    Inner,
}

/// The state of one search. An outer node is known by its slot: the vertex that is its base.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// Labels of the top nodes.
    labels: Vec<Label>,
    /// The edge that connects an inner node to the tree: the vertex outside, the vertex inside.
    entries: Vec<(usize, usize)>,
    /// For each vertex that is not outer: the outer vertex to which it has the least slack.
    best: Vec<usize>,
    /// For each two slots the edge with the least slack between them, in a quarter of the bytes that other edges have:
    /// no other table here grows with the square of the vertices.
    between: Vec<(u16, u16)>,
    /// For each slot the slot with the least slack.
    nearest: Vec<usize>,
    /// Slots in use.
    slots: Vec<usize>,
    /// Vertices that became outer and whose edges have not been scanned.
    queue: Vec<usize>,
}

impl Tree {
    pub(super) fn new(size: usize, nodes: usize) -> Self {
        Self {
            labels: vec![Label::Free; nodes],
            entries: vec![(NONE, NONE); nodes],
            best: vec![NONE; size],
            between: vec![NO_EDGE; size * size],
            nearest: vec![NONE; size],
            slots: Vec::new(),
            queue: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.labels.fill(Label::Free);
        self.best.fill(NONE);
        self.slots.clear();
        self.queue.clear();
    }
}

/// What ends a change of the dual variables.
#[derive(Clone, Copy)]
enum Event {
    /// The tree reaches a vertex outside.
    Reach(usize),
    /// An edge between two outer nodes becomes tight.
    Meet(usize, usize),
    /// An inner blossom must be opened.
    Open(usize),
}

/// The slack that is left until an event.
type Slack<W> = (W, Event);

impl<W: Weight> Matching<W> {
    /// Matches the unmatched node that contains `root`, along an alternating path.
    pub(super) fn augment_from(&mut self, root: usize) -> Result<(), Barrier> {
        self.tree.clear();
        self.make_outer(self.tops[root]);
        loop {
            if let Some((u, v)) = self.scan() {
                self.augment(u, v);
                return Ok(());
            }
            let Some((step, event)) = self.next_event() else {
                return Err(self.barrier());
            };
            self.shift(step);
            match event {
                Event::Reach(v) if self.is_unmatched(v) => {
                    self.augment(self.tree.best[v], v);
                    return Ok(());
                }
                Event::Reach(v) => self.grow(v),
                Event::Meet(u, v) => self.close_circle(u, v),
                Event::Open(node) => self.open(node),
            }
        }
    }

    fn label(&self, vertex: usize) -> Label {
        self.tree.labels[self.tops[vertex]]
    }

    pub(super) fn is_unmatched(&self, vertex: usize) -> bool {
        self.mates[self.bases[self.tops[vertex]]] == NONE
    }

    fn make_outer(&mut self, node: usize) {
        self.tree.labels[node] = Label::Outer;
        let slot = self.bases[node];
        for other in &self.tree.slots {
            self.tree.between[slot * self.size + *other] = NO_EDGE;
            self.tree.between[*other * self.size + slot] = NO_EDGE;
        }
        self.tree.nearest[slot] = NONE;
        self.tree.slots.push(slot);
        let members = self.members(node);
        self.tree.queue.extend(members);
    }

    /// Scans the edges of new outer vertices; returns a tight one to an unmatched node, if there is one.
    fn scan(&mut self) -> Option<(usize, usize)> {
        while let Some(u) = self.tree.queue.pop() {
            for v in 0..self.size {
                if self.weights[u * self.size + v] == W::ABSENT || self.tops[u] == self.tops[v] {
                    continue;
                }
                let slack = self.slack(u, v);
                match self.label(v) {
                    Label::Outer => self.offer_between(u, v, slack),
                    Label::Free if slack == W::default() && self.is_unmatched(v) => {
                        return Some((u, v));
                    }
                    _ => self.offer(u, v, slack),
                }
            }
        }
        None
    }

    fn offer(&mut self, u: usize, v: usize, slack: W) {
        let best = self.tree.best[v];
        if best == NONE || slack < self.slack(best, v) {
            self.tree.best[v] = u;
        }
    }

    fn offer_between(&mut self, u: usize, v: usize, slack: W) {
        let (s, t) = (self.bases[self.tops[u]], self.bases[self.tops[v]]);
        if self.between(s, t).is_none_or(|known| slack < known) {
            self.put_between(s, t, (u, v));
        }
        self.bring_near(s, t, slack);
        self.bring_near(t, s, slack);
    }

    fn put_between(&mut self, s: usize, t: usize, (u, v): (usize, usize)) {
        let (u, v) = (u as u16, v as u16);
        self.tree.between[s * self.size + t] = (u, v);
        self.tree.between[t * self.size + s] = (v, u);
    }

    fn bring_near(&mut self, s: usize, t: usize, slack: W) {
        let nearest = self.tree.nearest[s];
        if nearest == NONE || self.between(s, nearest).is_none_or(|known| slack < known) {
            self.tree.nearest[s] = t;
        }
    }

    /// The least slack between two slots, if there is an edge.
    fn between(&self, s: usize, t: usize) -> Option<W> {
        let (u, v) = self.edge_between(s, t)?;
        Some(self.slack(u, v))
    }

    /// The edge between two slots that has it: the vertex in each.
    fn edge_between(&self, s: usize, t: usize) -> Option<(usize, usize)> {
        let edge = self.tree.between[s * self.size + t];
        if edge == NO_EDGE {
            return None;
        }
        Some((usize::from(edge.0), usize::from(edge.1)))
    }

    /// What happens first when the dual variables change, and by how much they change until then.
    fn next_event(&self) -> Option<Slack<W>> {
        let mut first: Option<Slack<W>> = None;
        let mut offer = |step: W, event: Event| {
            if first.is_none_or(|(least, _)| step < least) {
                first = Some((step, event));
            }
        };
        for v in 0..self.size {
            if self.tree.best[v] != NONE && self.label(v) == Label::Free {
                offer(self.slack(self.tree.best[v], v), Event::Reach(v));
            }
        }
        for &s in &self.tree.slots {
            let near = self.tree.nearest[s];
            if near != NONE
                && let Some((u, v)) = self.edge_between(s, near)
            {
                offer(self.slack(u, v).half(), Event::Meet(u, v));
            }
        }
        for node in self.inner_blossoms() {
            offer(self.blossom(node).dual.half(), Event::Open(node));
        }
        first
    }

    fn inner_blossoms(&self) -> impl Iterator<Item = usize> {
        (self.size..self.tree.labels.len()).filter(|node| self.tree.labels[*node] == Label::Inner)
    }

    /// Changes the dual variables of the tree by `step`.
    fn shift(&mut self, step: W) {
        if step == W::default() {
            return;
        }
        for v in 0..self.size {
            match self.label(v) {
                Label::Free => {}
                Label::Outer => self.duals[v] = self.duals[v] - step,
                Label::Inner => self.duals[v] = self.duals[v] + step,
            }
        }
        for (blossom, label) in self.blossoms.iter_mut().zip(&self.tree.labels[self.size..]) {
            match label {
                Label::Free => {}
                Label::Outer => blossom.dual = blossom.dual + step + step,
                Label::Inner => blossom.dual = blossom.dual - step - step,
            }
        }
    }

    /// Adds the matched node that contains `v` to the tree, and its mate below it.
    fn grow(&mut self, v: usize) {
        let node = self.tops[v];
        self.tree.labels[node] = Label::Inner;
        self.tree.entries[node] = (self.tree.best[v], v);
        let mate = self.mates[self.bases[node]];
        self.make_outer(self.tops[mate]);
    }

    /// The path from an outer node to the root: each node but the root with the edge to the next.
    fn way_up(&self, node: usize) -> Vec<(usize, (usize, usize))> {
        let (mut way, mut outer) = (Vec::new(), node);
        loop {
            let base = self.bases[outer];
            let mate = self.mates[base];
            if mate == NONE {
                return way;
            }
            let inner = self.tops[mate];
            let (outside, inside) = self.tree.entries[inner];
            way.push((outer, (base, mate)));
            way.push((inner, (inside, outside)));
            outer = self.tops[outside];
        }
    }

    /// Contracts the cycle that an edge between two outer nodes closes.
    fn close_circle(&mut self, u: usize, v: usize) {
        let (a, b) = (self.tops[u], self.tops[v]);
        let (mut left, mut right) = (self.way_up(a), self.way_up(b));
        let mut first = left.last().map_or(a, |(_, (_, root))| self.tops[*root]);
        while let (Some(l), Some(r)) = (left.last(), right.last())
            && l.0 == r.0
        {
            first = l.0;
            left.pop();
            right.pop();
        }
        let mut kids = vec![first];
        let mut links: Vec<_> = left.iter().rev().map(|(_, (x, y))| (*y, *x)).collect();
        kids.extend(left.iter().rev().map(|(node, _)| *node));
        links.push((u, v));
        kids.extend(right.iter().map(|(node, _)| *node));
        links.extend(right.iter().map(|(_, link)| *link));
        self.join(kids, links);
    }

    /// Makes a cycle in the tree one outer node, and merges its rows of `between`.
    fn join(&mut self, kids: Vec<usize>, links: Vec<(usize, usize)>) {
        let (mut absorbed, mut scan) = (Vec::new(), Vec::new());
        for &kid in &kids {
            if self.tree.labels[kid] == Label::Outer {
                absorbed.push(self.bases[kid]);
            } else {
                scan.extend(self.members(kid));
            }
            self.tree.labels[kid] = Label::Free;
        }
        let slot = self.bases[kids[0]];
        let Some(node) = self.contract(kids, links) else {
            return;
        };
        self.tree.labels[node] = Label::Outer;
        self.tree.queue.extend(scan);
        let tops = &self.tops;
        self.tree.slots.retain(|s| *s == slot || tops[*s] != node);
        self.join_rows(slot, &absorbed);
    }

    fn join_rows(&mut self, slot: usize, absorbed: &[usize]) {
        self.tree.nearest[slot] = NONE;
        for i in 0..self.tree.slots.len() {
            let other = self.tree.slots[i];
            if other == slot {
                continue;
            }
            let known = |s: &usize| Some((self.between(*s, other)?, *s));
            if let Some((slack, from)) = absorbed.iter().filter_map(known).min()
                && let Some(edge) = self.edge_between(from, other)
            {
                self.put_between(slot, other, edge);
                self.bring_near(slot, other, slack);
            }
            if absorbed.contains(&self.tree.nearest[other]) {
                self.tree.nearest[other] = slot;
            }
        }
    }

    /// Opens an inner blossom whose dual variable is 0; the even path through it stays in the tree.
    fn open(&mut self, node: usize) {
        self.tree.labels[node] = Label::Free;
        let mut entry = self.tree.entries[node];
        let blossom = self.release(node);
        let (kids, length) = (&blossom.kids, blossom.kids.len());
        let (_, inside) = entry;
        let entered = self.tops[inside];
        let Some(mut place) = kids.iter().position(|kid| *kid == entered) else {
            return;
        };
        let forward = place % 2 == 1;
        while place != 0 {
            let (middle, last) = if forward {
                (place + 1, (place + 2) % length)
            } else {
                (place - 1, place - 2)
            };
            self.make_inner(kids[place], entry);
            self.make_outer(kids[middle % length]);
            entry = if forward {
                blossom.links[middle]
            } else {
                let (x, y) = blossom.links[last];
                (y, x)
            };
            place = last;
        }
        self.make_inner(kids[0], entry);
    }

    fn make_inner(&mut self, node: usize, entry: (usize, usize)) {
        self.tree.labels[node] = Label::Inner;
        self.tree.entries[node] = entry;
    }

    /// Swaps matched and unmatched edges on the path from the root to `u`, and matches `u` with the unmatched `v`.
    fn augment(&mut self, u: usize, v: usize) {
        self.rebase(self.tops[v], v);
        let (mut here, mut there) = (u, v);
        loop {
            let outer = self.tops[here];
            let former = self.mates[self.bases[outer]];
            self.rebase(outer, here);
            self.pair(here, there);
            if former == NONE {
                return;
            }
            let inner = self.tops[former];
            (here, there) = self.tree.entries[inner];
            self.rebase(inner, there);
        }
    }

    /// What the tree proves when it can neither grow nor change its dual variables.
    fn barrier(&self) -> Barrier {
        let cut = (0..self.size)
            .filter(|v| self.label(*v) == Label::Inner)
            .collect();
        let mut parts = Vec::new();
        for slot in &self.tree.slots {
            let mut part = self.members(self.tops[*slot]);
            part.sort_unstable();
            parts.push(part);
        }
        Barrier { cut, parts }
    }
}
