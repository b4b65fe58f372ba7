import { cubeRoot } from './elementary-functions.ts';

/**
 * Colours as people see them, without a display: conversions between the spaces that X knows; CIE 15, Xlib chapter 6.
 * Products are written in the order in which libX11 rounds them.
 */

export type Triple = readonly [number, number, number];

/** Intensities of a colour on that display → CIE XYZ. */
const TO_XYZ: readonly Triple[] = [
  [0.3810614910871479, 0.3202571236535211, 0.248345785259331],
  [0.2072974511514085, 0.6805463877637324, 0.1121561610848592],
  [0.02133944350088028, 0.1429719302024648, 1.241728926296655],
];

const FROM_XYZ: readonly Triple[] = [
  [3.48340481253539, -1.521763749272852, -0.5592313335404978],
  [-1.071527513061936, 1.965937952043724, 0.03673691339553462],
  [0.06351179790497788, -0.2002050100049648, 0.8107094203164822],
];

const multiply = (matrix: readonly Triple[], [x, y, z]: Triple): Triple => {
  const [first = 0, second = 0, third = 0] = matrix.map(([a, b, c]) => a * x + b * y + c * z);
  return [first, second, third];
};

export const xyzOfIntensities = (intensities: Triple): Triple => multiply(TO_XYZ, intensities);

/** Intensities below 0 or above 1 are outside the display's colours. */
export const intensitiesOfXyz = (xyz: Triple): Triple => multiply(FROM_XYZ, xyz);

/** White of that display: all intensities at once. Its luminance is 1 by definition. */
const [WHITE_X, , WHITE_Z] = xyzOfIntensities([1, 1, 1]);
export const WHITE_UV = uvOf([WHITE_X, 1, WHITE_Z]);

function uvOf([x, y, z]: Triple): readonly [number, number] {
  const sum = x + 15 * y + 3 * z;
  return [(4 * x) / sum, (9 * y) / sum];
}

/** Converts to CIE u'v'Y. Black has the chromaticity of white. */
export function uvYOfXyz(xyz: Triple): Triple {
  const [x, y, z] = xyz;
  const [u, v] = x + 15 * y + 3 * z === 0 ? WHITE_UV : uvOf(xyz);
  return [u, v, y];
}

export function xyzOfUvY([u, v, luminance]: Triple): Triple {
  const sum = 6 * u - 16 * v + 12;
  const [whiteU, whiteV] = WHITE_UV;
  const [useU, useV, divisor] = sum === 0 ? [whiteU, whiteV, 6 * whiteU - 16 * whiteV + 12] : [u, v, sum];
  const x = (9 * useU) / divisor;
  const y = (4 * useV) / divisor;
  const z = 1 - x - y;
  return y === 0 ? [x, luminance, z] : [(x * luminance) / y, luminance, (z * luminance) / y];
}

/** Replaces a chromaticity y of 0. */
const LEAST_Y = 0.00001;

export function xyzOfXyY([x, y, luminance]: Triple): Triple {
  const divisor = -2 * x + 12 * y + 3;
  if (divisor === 0) return [0, 0, 0];
  if (y !== 0) return xyzOfUvY([(4 * x) / divisor, (9 * y) / divisor, luminance]);
  const [wholeX, , wholeZ] = xyzOfUvY([(4 * x) / divisor, 0, luminance]);
  return [(wholeX * luminance) / LEAST_Y, luminance, (wholeZ * luminance) / LEAST_Y];
}

/** Returns the lightness L* of a luminance, from 0 to 100. */
export const lightnessOf = (luminance: number): number =>
  luminance < 0.008856 ? luminance * 903.29 : cubeRoot(luminance) * 116 - 16;

export const luminanceOf = (lightness: number): number =>
  lightness < 7.99953624 ? lightness / 903.29 : cubed((lightness + 16) / 116);

const cubed = (value: number): number => value * value * value;

/** Converts CIE L*a*b* as libX11 does: a* and b* are in hundredths, and dark colours are a hundred times as bright. */
export function xyzOfLab([lightness, a, b]: Triple): Triple {
  const root = (lightness + 16) / 116;
  const luminance = cubed(root);
  if (luminance < 0.008856) {
    const y = lightness / 9.03292;
    return [WHITE_X * (a / 3893.5 + y), y, WHITE_Z * (y - b / 1557.4)];
  }
  const [rootX, rootZ] = [root + a / 5, root - b / 2];
  return [WHITE_X * rootX * rootX * rootX, luminance, WHITE_Z * rootZ * rootZ * rootZ];
}

/** Converts CIE L*u*v*, where u* and v* are in hundredths as well. */
export function xyzOfLuv([lightness, u, v]: Triple): Triple {
  const [whiteU, whiteV] = WHITE_UV;
  if (lightness === 0) return xyzOfUvY([whiteU, whiteV, 0]);
  const scale = 13 * (lightness / 100);
  return xyzOfUvY([u / scale + whiteU, v / scale + whiteV, luminanceOf(lightness)]);
}
