import { isNumericForm, parseColor } from './parse-color.ts';

/** Prefixes of the spaces whose colours are three numbers, in lower case, with the bounds of each space. */
const BOUNDS: Readonly<Record<string, string>> = {
  rgbi: '',
  ciexyz: ', Y from 0 to 1',
  cieuvy: ', Y from 0 to 1',
  ciexyy: ', each from 0 to 1',
  cielab: ', L* from 0 to 100',
  cieluv: ', L* from 0 to 100',
  tekhvc: ', V from 0 to 100, and C of at least 0',
};

const PREFIXES = 'rgb:, rgbi:, CIEXYZ:, CIEuvY:, CIExyY:, CIELab:, CIELuv: or TekHVC:';

/**
 * Returns the expected form of a text that is not a colour; undefined for a numeric colour, and for a possible name.
 */
export function expectedColor(spec: string): string | undefined {
  if (!isNumericForm(spec) || parseColor(spec) !== undefined) return undefined;
  if (spec.startsWith('#')) return 'a colour as #rgb with 3, 6, 9 or 12 digits';
  const prefix = spec.slice(0, spec.indexOf(':')).toLowerCase();
  if (prefix === 'rgb') return 'a colour as rgb:rr/gg/bb';
  const bounds = Object.hasOwn(BOUNDS, prefix) ? BOUNDS[prefix] : undefined;
  if (bounds === undefined) return `a colour's name, or numbers behind # or one of ${PREFIXES}`;
  return `a colour with three numbers, such as rgbi:1.0/0.5/0 or CIELab:50/20/-30${bounds}`;
}
