import {
  intensitiesOfXyz,
  lightnessOf,
  luminanceOf,
  type Triple,
  uvYOfXyz,
  WHITE_UV,
  xyzOfIntensities,
  xyzOfUvY,
} from './cie.ts';
import { arcTangent, cosine, sine, squareRoot } from './elementary-functions.ts';

/**
 * Hue in degrees, value from 0 to 100, chroma; TekHVC, Xlib chapter 6. Computed in the order of libX11, to the last
 * bit.
 */

const CHROMA_SCALE = 7.50725;

const degrees = (radians: number): number => (radians * 180) / Math.PI;
const [WHITE_U, WHITE_V] = WHITE_UV;

/** The direction of hue 0 from white: that of the best red. */
const RED_DEGREES = degrees(arcTangent((0.4931 - WHITE_V) / (0.7127 - WHITE_U)));

/** Returns the same hue from 0 to 360. */
function turned(hue: number): number {
  const rest = hue % 360;
  const positive = rest < 0 ? rest + 360 : rest;
  return positive >= 360 ? positive - 360 : positive;
}

/** Distance from the bound for a value or chroma that exceeds it by rounding alone. */
const NEARLY_NOTHING = 0.00001;

export function xyzOfHvc([hue, givenValue, givenChroma]: Triple): Triple {
  const value = givenValue < 0 ? NEARLY_NOTHING : givenValue > 100 ? 100 - NEARLY_NOTHING : givenValue;
  const chroma = givenChroma < 0 ? -NEARLY_NOTHING : givenChroma;
  if (value === 0 || value === 100) return xyzOfUvY([WHITE_U, WHITE_V, value / 100]);
  const angle = (turned(turned(hue) + RED_DEGREES) * Math.PI) / 180;
  const scale = value * CHROMA_SCALE;
  const [u, v] = [(cosine(angle) * chroma) / scale, (sine(angle) * chroma) / scale];
  return xyzOfUvY([u + WHITE_U, v + WHITE_V, luminanceOf(value)]);
}

function hvcOfXyz(xyz: Triple): Triple {
  const [absoluteU, absoluteV, luminance] = uvYOfXyz(xyz);
  const value = lightnessOf(luminance);
  const [u, v] = [absoluteU - WHITE_U, absoluteV - WHITE_V];
  const hue = directionOf(u, v) - RED_DEGREES;
  return [hue < -EXACT ? hue + 360 : hue, value, value * CHROMA_SCALE * squareRoot(u * u + v * v)];
}

/**
 * Returns the angle of a point seen from white, in degrees, from the arc tangent in quarter turns. On an axis it is 0,
 * as in libX11: that determines the replacement of a colour out of reach, since u* = 0 or v* = 0 are not rare.
 */
function directionOf(u: number, v: number): number {
  if (u === 0) return 0;
  const [least, most] = quadrantOf(u, v);
  let angle = degrees(arcTangent(v / u));
  while (angle < least) angle += 90;
  while (angle >= most) angle -= 90;
  return angle;
}

function quadrantOf(u: number, v: number): readonly [least: number, most: number] {
  if (v === 0) return [0, 360];
  if (v > 0) return u > 0 ? [0, 90] : [90, 180];
  return u > 0 ? [270, 360] : [180, 270];
}

/** A colour that no display shows, of which only the hue counts. */
const UNREACHABLE = { value: 40, chroma: 120 };

/** Returns the most colourful intensities of a hue: one of them is 0, and one is 1. */
function strongest(hue: number): Triple {
  const beyond = intensitiesOfXyz(xyzOfHvc([hue, UNREACHABLE.value, UNREACHABLE.chroma]));
  const least = Math.min(...beyond);
  const [red, green, blue] = beyond.map((intensity) => intensity - least) as unknown as Triple;
  const most = Math.max(red, green, blue);
  return [red / most, green / most, blue / most];
}

const STEPS_MAX = 100;
const EXACT = 0.001;

/**
 * Returns the nearest displayed colour of the same hue and value, with less chroma, as X does for colours out of reach.
 */
export function clipChroma(xyz: Triple): Triple {
  const [hue, value] = hvcOfXyz(xyz);
  const intensities = strongest(hue);
  const [, strongestValue, strongestChroma] = hvcOfXyz(xyzOfIntensities(intensities));
  if (value <= strongestValue) return xyzOfHvc([hue, value, (value * strongestChroma) / strongestValue]);
  return xyzOfHvc(lightened(hue, value, { intensities, strongestValue }));
}

/** Returns the colour with the wanted value between the most colourful colour and white. */
function lightened(
  hue: number,
  wanted: number,
  { intensities, strongestValue }: { intensities: Triple; strongestValue: number },
): Triple {
  let aim = wanted;
  let relaxation = 1;
  let now: Triple = [hue, wanted, 100];
  let before = now;
  let beforeThat = -1;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    if (step > 0) beforeThat = before[1];
    before = now;
    const share = ((aim - strongestValue) / (100 - strongestValue)) * relaxation;
    const mix = (intensity: number): number => intensity * (1 - share) + share;
    const [red, green, blue] = intensities;
    const [, value, chroma] = hvcOfXyz(xyzOfIntensities([mix(red), mix(green), mix(blue)]));
    now = [hue, value, chroma];
    if (value <= wanted + EXACT && value >= wanted - EXACT) return now;
    aim += wanted - value;
    if (aim < strongestValue) {
      aim = strongestValue;
      relaxation /= 2;
    } else if (aim > 100) break;
    else if (value <= beforeThat + EXACT && value >= beforeThat - EXACT) relaxation /= 2;
  }
  return Math.abs(before[1] - wanted) < Math.abs(now[1] - wanted) ? before : now;
}
