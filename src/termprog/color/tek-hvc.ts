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

/** Hue in degrees, value from 0 to 100, chroma; TekHVC, Xlib chapter 6. */

const CHROMA_SCALE = 7.50725;

const degrees = (radians: number): number => (radians * 180) / Math.PI;
const [WHITE_U, WHITE_V] = WHITE_UV;

/** The direction of hue 0 from white: that of the best red. */
const RED_DEGREES = degrees(Math.atan((0.4931 - WHITE_V) / (0.7127 - WHITE_U)));

const turned = (hue: number): number => ((hue % 360) + 360) % 360;

export function xyzOfHvc([hue, value, chroma]: Triple): Triple {
  if (value === 0 || value === 100) return xyzOfUvY([WHITE_U, WHITE_V, value / 100]);
  const angle = (turned(hue + RED_DEGREES) * Math.PI) / 180;
  const distance = chroma / (value * CHROMA_SCALE);
  return xyzOfUvY([WHITE_U + distance * Math.cos(angle), WHITE_V + distance * Math.sin(angle), luminanceOf(value)]);
}

function hvcOfXyz(xyz: Triple): Triple {
  const [u, v, luminance] = uvYOfXyz(xyz);
  const value = lightnessOf(luminance);
  const [towardsU, towardsV] = [u - WHITE_U, v - WHITE_V];
  const angle = towardsU === 0 ? 0 : degrees(Math.atan2(towardsV, towardsU));
  return [turned(angle - RED_DEGREES), value, value * CHROMA_SCALE * Math.hypot(towardsU, towardsV)];
}

/** A colour that no display shows, whose hue alone counts. */
const UNREACHABLE = { value: 40, chroma: 120 };

/** The most colourful intensities of a hue: one of them is 0, and one is 1. */
function strongest(hue: number): Triple {
  const beyond = intensitiesOfXyz(xyzOfHvc([hue, UNREACHABLE.value, UNREACHABLE.chroma]));
  const least = Math.min(...beyond);
  const [red, green, blue] = beyond.map((intensity) => intensity - least) as unknown as Triple;
  const most = Math.max(red, green, blue);
  return [red / most, green / most, blue / most];
}

const STEPS_MAX = 100;
const EXACT = 0.001;

/** The nearest displayed colour of the same hue and value, with less chroma: what X does to colours out of reach. */
export function clipChroma(xyz: Triple): Triple {
  const [hue, value] = hvcOfXyz(xyz);
  const intensities = strongest(hue);
  const [, strongestValue, strongestChroma] = hvcOfXyz(xyzOfIntensities(intensities));
  if (value <= strongestValue) return xyzOfHvc([hue, value, (value * strongestChroma) / strongestValue]);
  return xyzOfHvc(lightened(hue, value, { intensities, strongestValue }));
}

/** On the way from the most colourful colour to white, the one with the wanted value. */
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
    const [red, green, blue] = intensities;
    const mixed: Triple = [red + (1 - red) * share, green + (1 - green) * share, blue + (1 - blue) * share];
    const [, value, chroma] = hvcOfXyz(xyzOfIntensities(mixed));
    now = [hue, value, chroma];
    if (Math.abs(value - wanted) <= EXACT) return now;
    aim += wanted - value;
    if (aim < strongestValue) {
      aim = strongestValue;
      relaxation /= 2;
    } else if (aim > 100) break;
    else if (Math.abs(value - beforeThat) <= EXACT) relaxation /= 2;
  }
  return Math.abs(before[1] - wanted) < Math.abs(now[1] - wanted) ? before : now;
}
