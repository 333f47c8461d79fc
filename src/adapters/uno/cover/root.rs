//! The multigraph of numbers and colours, equal cards in bundles, without the vertices that no trail needs.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::adapters::uno::card::Card;

/// Equal cards.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    pub(super) ends: [u32; 2],
    /// Their indices in the deck.
    pub(super) cards: Vec<u32>,
}

/// Numbers and colours as vertices, cards as edges.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) bundles: Vec<Bundle>,
    /// For each vertex its bundles.
    pub(super) around: Vec<Vec<u32>>,
    /// The vertices that are colours.
    pub(super) is_colour: FixedBitSet,
    /// The vertices that some trail may need; the others have a single neighbour.
    pub(super) needed: FixedBitSet,
}

impl Root {
    pub(super) fn new(cards: &[Card]) -> Self {
        let mut names: HashMap<(bool, u32), u32> = HashMap::new();
        let mut bundle_of: HashMap<Card, u32> = HashMap::new();
        let (is_colour, needed) = (FixedBitSet::new(), FixedBitSet::new());
        let mut root = Root { bundles: Vec::new(), around: Vec::new(), is_colour, needed };
        for (card, index) in cards.iter().zip(0..) {
            let bundle = *bundle_of.entry(*card).or_insert_with(|| {
                let bundle = root.bundles.len() as u32;
                let ends = [(false, card.number), (true, card.colour)].map(|side| {
                    let next = root.around.len() as u32;
                    let vertex = *names.entry(side).or_insert(next);
                    if vertex == next {
                        root.around.push(Vec::new());
                        root.is_colour.extend(side.0.then_some(next as usize));
                    }
                    root.around[vertex as usize].push(bundle);
                    vertex
                });
                root.bundles.push(Bundle { ends, cards: Vec::new() });
                bundle
            });
            root.bundles[bundle as usize].cards.push(index);
        }
        // Of two vertices with no other neighbour than each other, one stays.
        root.needed.grow(root.around.len());
        root.needed.insert_range(..);
        for vertex in 0..root.around.len() {
            if let [bundle] = root.around[vertex][..] {
                let other = root.other_end(bundle, vertex as u32);
                root.needed.set(vertex, !root.needed[other as usize]);
            }
        }
        root
    }

    pub(super) fn other_end(&self, bundle: u32, vertex: u32) -> u32 {
        let [one, two] = self.bundles[bundle as usize].ends;
        if one == vertex { two } else { one }
    }

    /// Whether both ends may be in trails.
    pub(super) fn is_inner(&self, bundle: u32) -> bool {
        self.bundles[bundle as usize].ends.iter().all(|&end| self.needed[end as usize])
    }

    /// How many cards there are.
    pub(super) fn count(&self, bundle: u32) -> u32 {
        self.bundles[bundle as usize].cards.len() as u32
    }

    /// How many cards a vertex meets whose other side is needed by no trail.
    pub(super) fn gain(&self, vertex: u32) -> u32 {
        let around = self.around[vertex as usize].iter();
        around.filter(|&&bundle| !self.is_inner(bundle)).map(|&bundle| self.count(bundle)).sum()
    }
}
