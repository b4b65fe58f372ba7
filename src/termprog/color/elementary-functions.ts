/**
 * Roots and angles with the exact rounding of libX11, which computes them itself: an error of the last bit decides
 * whether a channel is black, or the hue is 0 or 90 degrees.
 */

/** More steps than any number needs to converge. */
const NEWTON_STEPS_MAX = 10_000;

/** Newton's method, until a step no longer changes the value; NaN if it leaves the range of numbers. */
function converge(first: number, stepFrom: (value: number) => number): number {
  let value = first;
  for (let count = 0; count < NEWTON_STEPS_MAX; count += 1) {
    const step = stepFrom(value);
    value -= step;
    if (!(Math.abs(step) >= value * Number.EPSILON)) break;
  }
  return value;
}

export function squareRoot(square: number): number {
  if (square <= 0) return 0;
  return converge(square > 1 ? square / 4 : square * 4, (root) => (root - square / root) / 2);
}

/** Returns the cube root of a number that is not negative. */
export function cubeRoot(cube: number): number {
  if (cube === 0) return 0;
  return converge(cube > 1 ? cube / 8 : cube * 8, (root) => (root - cube / (root * root)) / 3);
}

/** Error bound for the angles of positive numbers; those of negative numbers are exact to machine precision. */
const ARC_ERROR = 0.000001;

/** Far more steps than the means need to meet, or to stop changing. */
const ARC_STEPS_MAX = 64;

/** Computes the angle by the arithmetic-geometric mean; F. S. Acton, Numerical Methods That Work. */
export function arcTangent(slope: number): number {
  if (slope === 0) return 0;
  const errorMax = slope < 1 ? slope * ARC_ERROR : ARC_ERROR;
  let arithmetic = squareRoot(1 / (1 + slope * slope));
  let geometric = 1;
  for (let count = 0; count < ARC_STEPS_MAX; count += 1) {
    arithmetic = (arithmetic + geometric) / 2;
    geometric = squareRoot(arithmetic * geometric);
    if (arithmetic === geometric || Math.abs(arithmetic - geometric) < errorMax) break;
  }
  return slope / (squareRoot(1 + slope * slope) * Math.min(arithmetic, geometric));
}

/** A quotient of two polynomials; the coefficients of each begin with that of the power 0. */
interface Quotient {
  dividend: readonly number[];
  divisor: readonly number[];
}

/**
 * Coefficients for angles up to 45 degrees, in the square of the angle's share of 45 degrees; J. F. Hart, Computer
 * Approximations, tables 3843 and 3063.
 */
const COSINE: Quotient = {
  dividend: [1290539.4659037373, -374567.03915723204, 13432.300986539085, -112.31450823340933],
  divisor: [1290539.4659037373, 23467.773107245834, 209.69518196726307, 1],
};
const SINE: Quotient = {
  dividend: [2066434.3336995859, -181603.98797407333, 3599.930694963619, -20.107483294588615],
  divisor: [2631065.91026477, 39270.242774649, 278.11919481083845, 1],
};

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => coefficient + x * sum);

const quotientOf = ({ dividend, divisor }: Quotient, x: number): number =>
  polynomial(dividend, x) / polynomial(divisor, x);

const RIGHT_ANGLE = Math.PI / 2;
const HALF_RIGHT_ANGLE = Math.PI / 4;

/** Returns the cosine of an angle from 0 to a full turn. */
export function cosine(radians: number): number {
  const angle = nearZero(radians);
  if (angle > RIGHT_ANGLE) return -cosine(angle - Math.PI);
  if (angle < -RIGHT_ANGLE) return -cosine(angle + Math.PI);
  if (angle > HALF_RIGHT_ANGLE) return sine(RIGHT_ANGLE - angle);
  if (angle < -HALF_RIGHT_ANGLE) return sine(RIGHT_ANGLE + angle);
  const share = angle / HALF_RIGHT_ANGLE;
  return quotientOf(COSINE, share * share);
}

/** Returns the sine of an angle from 0 to a full turn. */
export function sine(radians: number): number {
  const angle = nearZero(radians);
  if (angle > RIGHT_ANGLE) return -sine(angle - Math.PI);
  if (angle < -RIGHT_ANGLE) return -sine(angle + Math.PI);
  if (angle > HALF_RIGHT_ANGLE) return cosine(RIGHT_ANGLE - angle);
  if (angle < -HALF_RIGHT_ANGLE) return -cosine(RIGHT_ANGLE + angle);
  const share = angle / HALF_RIGHT_ANGLE;
  return share * quotientOf(SINE, share * share);
}

const FULL_TURN = 2 * Math.PI;

/** Returns the same angle, at most half a turn to either side. */
function nearZero(radians: number): number {
  if (radians <= Math.PI) return radians;
  // This division and multiplication round as in libX11.
  const rest = (radians / FULL_TURN) * FULL_TURN;
  return rest > Math.PI ? rest - FULL_TURN : rest;
}
