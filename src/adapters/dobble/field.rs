//! The finite fields GF(q), by tables of logarithms.
//!
//! Elements are polynomials over GF(p) of degree below e, written as numbers below q = pᵉ in base p. They multiply modulo a
//! polynomial whose root x generates all of them: the first found whose powers of x are all different. Such *primitive*
//! polynomials exist for every q (Rudolf Lidl, Harald Niederreiter, *Finite Fields*, Cambridge 1997, chapter 2.1).

/// The field of q elements; 0 and 1 are its zero and one.
pub(super) struct Field {
    order: u32,
    prime: u32,
    /// The powers of a generator, twice around.
    powers: Vec<u32>,
    logarithm: Vec<u32>,
}

/// The prime and the exponent, if this is a prime power.
pub(super) fn prime_power(order: u32) -> Option<(u32, u32)> {
    let divides = |divisor: &u32| order.is_multiple_of(*divisor);
    let prime = (2..).take_while(|&divisor| u64::from(divisor).pow(2) <= u64::from(order)).find(divides);
    let prime = prime.unwrap_or(order);
    let (mut rest, mut exponent) = (order, 0);
    while prime > 1 && rest.is_multiple_of(prime) {
        rest /= prime;
        exponent += 1;
    }
    (rest == 1 && exponent > 0).then_some((prime, exponent))
}

impl Field {
    /// The field of this order, or `None` if that is no prime power. `O(q)` memory; few polynomials are tried.
    pub(super) fn new(order: u32) -> Option<Self> {
        let (prime, exponent) = prime_power(order)?;
        if order == 2 {
            return Some(Field { order, prime, powers: vec![1, 1], logarithm: vec![u32::MAX, 0] });
        }
        // The low coefficients of xᵉ, which is what a monic polynomial of degree e makes of it; for a prime, a generator.
        (1..order).find_map(|reduced| {
            let powers = powers_of_root(order, prime, exponent, reduced)?;
            let mut logarithm = vec![u32::MAX; order as usize];
            powers.iter().enumerate().for_each(|(log, &power)| logarithm[power as usize] = log as u32);
            let twice = powers.iter().chain(&powers).copied().collect();
            Some(Field { order, prime, powers: twice, logarithm })
        })
    }

    /// How many elements it has.
    pub(super) fn order(&self) -> u32 {
        self.order
    }

    pub(super) fn add(&self, one: u32, other: u32) -> u32 {
        add(self.order, self.prime, one, other)
    }

    pub(super) fn multiply(&self, one: u32, other: u32) -> u32 {
        if one == 0 || other == 0 {
            return 0;
        }
        self.powers[(self.logarithm[one as usize] + self.logarithm[other as usize]) as usize]
    }
}

/// Digit by digit, without carry.
fn add(order: u32, prime: u32, one: u32, other: u32) -> u32 {
    if prime == order {
        return (one + other) % prime;
    }
    if prime == 2 {
        return one ^ other;
    }
    let (mut one, mut other, mut sum, mut place) = (one, other, 0, 1);
    while one > 0 || other > 0 {
        sum += (one % prime + other % prime) % prime * place;
        (one, other, place) = (one / prime, other / prime, place * prime);
    }
    sum
}

/// The q − 1 powers of x where xᵉ is `reduced` (of `reduced` itself in a prime field); `None` if they repeat before.
fn powers_of_root(order: u32, prime: u32, exponent: u32, reduced: u32) -> Option<Vec<u32>> {
    let scale = |element: u32, factor: u32| (0..factor).fold(0, |sum, _| add(order, prime, sum, element));
    let high = order / prime;
    // The multiples of xᵉ by each digit.
    let multiples: Vec<u32> =
        if exponent > 1 { (0..prime).map(|digit| scale(reduced, digit)).collect() } else { Vec::new() };
    let mut powers = Vec::with_capacity(order as usize - 1);
    let mut power = 1u32;
    loop {
        powers.push(power);
        power = if exponent == 1 {
            (u64::from(power) * u64::from(reduced) % u64::from(prime)) as u32
        } else {
            add(order, prime, power % high * prime, multiples[(power / high) as usize])
        };
        if power == 1 || power == 0 || powers.len() == order as usize - 1 {
            break;
        }
    }
    (power == 1 && powers.len() == order as usize - 1).then_some(powers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prime_powers() {
        let expected = [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32];
        let found: Vec<u32> = (0..=32).filter(|&order| prime_power(order).is_some()).collect();
        assert_eq!(found, expected);
        assert_eq!(prime_power(343), Some((7, 3)));
    }

    /// All axioms, on all triples.
    #[test]
    fn small_fields_are_fields() {
        for order in (2..=32).filter(|&order| prime_power(order).is_some()) {
            let field = Field::new(order).unwrap();
            for one in 0..order {
                assert_eq!((field.add(one, 0), field.multiply(one, 1)), (one, one));
                assert_eq!((0..order).filter(|&other| field.add(one, other) == 0).count(), 1);
                assert!(one == 0 || (0..order).filter(|&other| field.multiply(one, other) == 1).count() == 1);
                for other in 0..order {
                    assert_eq!(field.add(one, other), field.add(other, one));
                    assert_eq!(field.multiply(one, other), field.multiply(other, one));
                    for third in 0..order {
                        let sum = field.add(other, third);
                        assert_eq!(field.add(field.add(one, other), third), field.add(one, sum));
                        let product = field.multiply(other, third);
                        assert_eq!(field.multiply(field.multiply(one, other), third), field.multiply(one, product));
                        let parts = field.add(field.multiply(one, other), field.multiply(one, third));
                        assert_eq!(field.multiply(one, sum), parts);
                    }
                }
            }
        }
        assert!(Field::new(6).is_none());
    }
}
