import { intensitiesOfXyz, type Triple, xyzOfLab, xyzOfLuv, xyzOfUvY, xyzOfXyY } from './cie.ts';
import { levelsOf } from './display-response.ts';
import { clipChroma, xyzOfHvc } from './tek-hvc.ts';

/** Channels of 8 bits. */
export interface Rgb {
  red: number;
  green: number;
  blue: number;
}

/** A longer text is not a colour; each form is shorter. */
const SPEC_MAX_CHARACTERS = 255;

/** Tolerance of the bounds of a display's colours. */
const EPSILON = 0.001;

/** Tolerance of the bounds of a space. */
const SPACE_EPSILON = 0.00001;

const isPositive = (value: number): boolean => value >= -SPACE_EPSILON;
const isPart = (value: number): boolean => isPositive(value) && value <= 1 + SPACE_EPSILON;
const isPercentage = (value: number): boolean => isPositive(value) && value <= 100 + SPACE_EPSILON;

/** Prefix of a colour space → conversion; undefined for values outside the space. */
const SPACES: Readonly<Record<string, (values: Triple) => Triple | undefined>> = {
  ciexyz: (xyz) => (isPart(xyz[1]) ? xyz : undefined),
  cieuvy: (uvY) => (isPart(uvY[2]) ? xyzOfUvY(uvY) : undefined),
  ciexyy: (xyY) => (xyY.every(isPart) ? xyzOfXyY(xyY) : undefined),
  cielab: (lab) => (isPercentage(lab[0]) ? xyzOfLab(lab) : undefined),
  cieluv: (luv) => (isPercentage(luv[0]) ? xyzOfLuv(luv) : undefined),
  tekhvc: (hvc) => (isPercentage(hvc[1]) && isPositive(hvc[2]) ? xyzOfHvc(hvc) : undefined),
};

/** Whether a text can't be the name of a colour: X parses it as numbers, or refuses it. */
export function isNumericForm(spec: string): boolean {
  return spec.startsWith('#') || spec.includes(':');
}

/**
 * Parses a numeric colour in each form that X accepts; XParseColor(3), X(7). Undefined for a name, and for invalid
 * numbers.
 */
export function parseColor(spec: string): Rgb | undefined {
  if (spec.length > SPEC_MAX_CHARACTERS) return undefined;
  if (spec.startsWith('#')) return parseHash(spec);
  const separator = spec.indexOf(':');
  if (separator < 0) return undefined;
  const space = spec.slice(0, separator).toLowerCase();
  const fields = spec.slice(separator + 1).split('/');
  if (space === 'rgb') return parseScaled(fields);
  const values = numbersOf(fields);
  if (values === undefined) return undefined;
  if (space === 'rgbi') return rgbOf(levelsOf(values));
  const xyz = Object.hasOwn(SPACES, space) ? SPACES[space]?.(values) : undefined;
  return xyz === undefined ? undefined : displayed(xyz);
}

const rgbOf = ([red, green, blue]: Triple): Rgb => ({ red, green, blue });

/** Parses one to four digits per channel, which are its most significant ones. */
function parseHash(spec: string): Rgb | undefined {
  const hash = /^#((?:[0-9a-f]{3}){1,4})$/i.exec(spec)?.[1];
  if (hash === undefined) return undefined;
  const digits = hash.length / 3;
  const channel = (index: number): number =>
    Number.parseInt(
      hash
        .slice(index * digits, (index + 1) * digits)
        .padEnd(2, '0')
        .slice(0, 2),
      16,
    );
  return { red: channel(0), green: channel(1), blue: channel(2) };
}

/** Parses one to four digits per channel, which are a fraction of the largest number with as many digits. */
function parseScaled(fields: readonly string[]): Rgb | undefined {
  if (fields.length !== 3 || !fields.every((field) => /^[0-9a-f]{1,4}$/i.test(field))) return undefined;
  const [red = 0, green = 0, blue = 0] = fields.map(
    (digits) => Math.floor((Number.parseInt(digits, 16) * 0xffff) / (16 ** digits.length - 1)) >> 8,
  );
  return { red, green, blue };
}

function numbersOf(fields: readonly string[]): Triple | undefined {
  const isNumber = (field: string): boolean => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(field);
  if (fields.length !== 3 || !fields.every(isNumber)) return undefined;
  const [first = 0, second = 0, third = 0] = fields.map(Number);
  return [first, second, third];
}

/** Returns the colour as the display shows it, with less chroma if necessary. */
function displayed(xyz: Triple): Rgb | undefined {
  const isInReach = (intensities: Triple): boolean =>
    intensities.every((intensity) => intensity >= -EPSILON && intensity <= 1 + EPSILON);
  const direct = intensitiesOfXyz(xyz);
  if (!direct.every(Number.isFinite)) return undefined;
  const intensities = isInReach(direct) ? direct : intensitiesOfXyz(clipChroma(xyz));
  return isInReach(intensities) ? rgbOf(levelsOf(intensities)) : undefined;
}
