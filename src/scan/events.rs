//! A graph read vertex by vertex: what happens in which order.

/// What a scan meets next. A *slot* holds a vertex from its entry until its last edge is crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Enter {
        slot: u8,
        vertex: u32,
    },
    /// The slots are those of the edge's ends, in their order.
    Cross {
        slots: [u8; 2],
        edge: u32,
    },
    Leave {
        slot: u8,
    },
}

/// The events along an order of vertices, where `arcs` are those at a vertex, each with its other end and its edge, and `ends`
/// those of an edge; `None` if it takes more than so many slots.
pub(crate) fn events<A: Iterator<Item = (u32, u32)>>(
    vertices: usize,
    order: &[u32],
    slots: u8,
    arcs: impl Fn(u32) -> A,
    ends: impl Fn(u32) -> [u32; 2],
) -> Option<Vec<Event>> {
    let mut missing: Vec<u32> = (0..vertices as u32).map(|vertex| arcs(vertex).count() as u32).collect();
    let mut slot_of: Vec<Option<u8>> = vec![None; vertices];
    let mut free: Vec<u8> = (0..slots).rev().collect();
    let mut events = Vec::new();
    for &vertex in order {
        let slot = free.pop()?;
        slot_of[vertex as usize] = Some(slot);
        events.push(Event::Enter { slot, vertex });
        // Vertices that leave after this are crossed to first.
        let placed = |(other, edge): (u32, u32)| slot_of[other as usize].map(|slot| (other, edge, slot));
        let mut placed: Vec<(u32, u32, u8)> = arcs(vertex).filter_map(placed).collect();
        placed.sort_unstable_by_key(|&(other, _, slot)| (missing[other as usize] > 1, slot));
        for (other, edge, other_slot) in placed {
            let slots = if ends(edge)[0] == vertex { [slot, other_slot] } else { [other_slot, slot] };
            events.push(Event::Cross { slots, edge });
            missing[vertex as usize] -= 1;
            missing[other as usize] -= 1;
            if missing[other as usize] == 0 {
                events.push(Event::Leave { slot: other_slot });
                free.push(other_slot);
            }
        }
        if missing[vertex as usize] == 0 {
            events.push(Event::Leave { slot });
            free.push(slot);
        }
    }
    Some(events)
}

#[cfg(test)]
mod tests {
    use super::{Event, events};

    #[test]
    fn a_path_takes_two_slots_from_its_end_and_three_from_both() {
        let path = [[0, 1], [2, 1]];
        let arcs = |vertex: u32| {
            (0..2).filter(move |&edge: &u32| path[edge as usize].contains(&vertex)).map(move |edge| {
                let [one, two] = path[edge as usize];
                (if one == vertex { two } else { one }, edge)
            })
        };
        let ends = |edge: u32| path[edge as usize];
        let read = events(3, &[0, 1, 2], 2, arcs, ends).expect("two slots are enough");
        let expected = [
            Event::Enter { slot: 0, vertex: 0 },
            Event::Enter { slot: 1, vertex: 1 },
            Event::Cross { slots: [0, 1], edge: 0 },
            Event::Leave { slot: 0 },
            Event::Enter { slot: 0, vertex: 2 },
            Event::Cross { slots: [0, 1], edge: 1 },
            Event::Leave { slot: 1 },
            Event::Leave { slot: 0 },
        ];
        assert_eq!(read, expected);
        assert!(events(3, &[0, 2, 1], 2, arcs, ends).is_none());
    }
}
