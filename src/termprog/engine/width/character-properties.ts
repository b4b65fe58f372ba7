import { CHARACTER_RUNS } from './character-data.ts';

/**
 * The known properties of a code point, in one byte:
 *
 *   bits 0-1  cells it takes alone: 0, 1 or 2
 *   bits 2-5  its class in clusters
 *   bit 6     variation selectors choose between its presentations as text and as emoji
 */
export const WIDTH_MASK = 0x03;
const CLASS_SHIFT = 2;
const CLASS_MASK = 0x0f;
export const VARIATION_BASE = 0x40;

/**
 * Classes of code points; UAX #29, table 2, with Indic_Conjunct_Break where it matters. The data contains their
 * numbers.
 */
export const CLUSTER_CLASS = {
  other: 0,
  control: 1,
  extend: 2,
  /** Extend that may stand between a linker and a consonant. */
  extendConjunct: 3,
  /** Extend that links consonants. */
  linker: 4,
  zeroWidthJoiner: 5,
  spacingMark: 6,
  prepend: 7,
  regionalIndicator: 8,
  pictographic: 9,
  consonant: 10,
  hangulL: 11,
  hangulV: 12,
  hangulT: 13,
  hangulLV: 14,
  hangulLVT: 15,
} as const;

export type ClusterClass = (typeof CLUSTER_CLASS)[keyof typeof CLUSTER_CLASS];

/** Returns the properties of any code point. */
export type PropertiesOf = (codePoint: number) => number;

const PAGE_BITS = 8;
const PAGE = 1 << PAGE_BITS;
const CODE_POINTS = 0x11_0000;

/** Hangul syllables; those without a final consonant are every 28th. */
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const FINALS = 28;

export function classOf(properties: number): ClusterClass {
  return ((properties >> CLASS_SHIFT) & CLASS_MASK) as ClusterClass;
}

/** Returns the lookup of properties; its table is unpacked at the first character beyond Latin. */
export function createCharacterProperties(): PropertiesOf {
  let table: CharacterTable | undefined;
  return (codePoint) => {
    table ??= unpack(CHARACTER_RUNS);
    const { pageOf, pages } = table;
    return pages[((pageOf[codePoint >> PAGE_BITS] as number) << PAGE_BITS) | (codePoint & (PAGE - 1))] as number;
  };
}

/** Properties in pages of 256 code points; equal pages with one value are stored once. */
interface CharacterTable {
  pageOf: Uint16Array;
  pages: Uint8Array;
}

/** Unpacks runs that are written as `length:properties`, both to the base 36, from code point 0 on. */
function unpack(runs: string): CharacterTable {
  const pageOf = new Uint16Array(CODE_POINTS / PAGE);
  const pages: Uint8Array[] = [];
  const uniform = new Map<number, number>();
  const addPage = (properties: number): number => pages.push(new Uint8Array(PAGE).fill(properties)) - 1;
  /** Fills a part of one page, from its start or up to its end. */
  const fillPart = (start: number, end: number, properties: number): void => {
    if (start === end) return;
    if (start % PAGE === 0) pageOf[start >> PAGE_BITS] = addPage(properties);
    else pages[pageOf[start >> PAGE_BITS] as number]?.fill(properties, start % PAGE, ((end - 1) % PAGE) + 1);
  };
  let start = 0;
  for (const run of runs.trim().split(/\s+/)) {
    const [length = '', value = ''] = run.split(':');
    const properties = Number.parseInt(value, 36);
    const end = start + Number.parseInt(length, 36);
    const firstWhole = Math.min(end, (start + PAGE - 1) & -PAGE);
    const lastWhole = Math.max(firstWhole, end & -PAGE);
    fillPart(start, firstWhole, properties);
    if (lastWhole > firstWhole) {
      const page = uniform.get(properties) ?? addPage(properties);
      uniform.set(properties, page);
      pageOf.fill(page, firstWhole >> PAGE_BITS, lastWhole >> PAGE_BITS);
    }
    fillPart(lastWhole, end, properties);
    start = end;
  }
  return { pageOf, pages: joinPages(pages) };
}

function joinPages(pages: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pages.length * PAGE);
  for (const [index, page] of pages.entries()) joined.set(page, index * PAGE);
  return joined;
}

/** Returns the class of a syllable without or with a final consonant; the data has one class for all of them. */
export function syllableClass(codePoint: number): ClusterClass {
  return (codePoint - FIRST_SYLLABLE) % FINALS === 0 ? CLUSTER_CLASS.hangulLV : CLUSTER_CLASS.hangulLVT;
}

export function isSyllable(codePoint: number): boolean {
  return codePoint >= FIRST_SYLLABLE && codePoint <= LAST_SYLLABLE;
}
