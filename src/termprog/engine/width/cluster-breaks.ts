import {
  CLUSTER_CLASS,
  type ClusterClass,
  classOf,
  isSyllable,
  type PropertiesOf,
  syllableClass,
} from './character-properties.ts';

const C = CLUSTER_CLASS;

/** Returns the class of a code point, with two classes for Hangul syllables. */
export function clusterClassOf(codePoint: number, propertiesOf: PropertiesOf): ClusterClass {
  return isSyllable(codePoint) ? syllableClass(codePoint) : classOf(propertiesOf(codePoint));
}

/**
 * Returns whether a code point belongs to the cluster before it: no extended grapheme cluster ends between the two.
 * @param cluster code points of one cluster, from its first on
 * @see UAX #29, rules GB6 to GB13
 */
export function continuesCluster(cluster: readonly number[], codePoint: number, propertiesOf: PropertiesOf): boolean {
  const last = cluster.at(-1);
  if (last === undefined) return false;
  const next = clusterClassOf(codePoint, propertiesOf);
  const before = clusterClassOf(last, propertiesOf);
  if (before === C.control || next === C.control) return false;
  switch (next) {
    case C.extend:
    case C.extendConjunct:
    case C.linker:
    case C.zeroWidthJoiner:
    case C.spacingMark:
      return true;
    default:
  }
  if (before === C.prepend) return true;
  switch (next) {
    case C.hangulL:
    case C.hangulLV:
    case C.hangulLVT:
      return before === C.hangulL;
    case C.hangulV:
      return before === C.hangulL || before === C.hangulV || before === C.hangulLV;
    case C.hangulT:
      return before === C.hangulV || before === C.hangulT || before === C.hangulLV || before === C.hangulLVT;
    case C.consonant:
      return endsInLinkedConsonant(cluster, propertiesOf);
    case C.pictographic:
      return endsInJoinedPictograph(cluster, propertiesOf);
    case C.regionalIndicator:
      return endsInSingleIndicator(cluster, propertiesOf);
    default:
      return false;
  }
}

/** Checks GB9c: a consonant, then extending characters, one of which links. */
function endsInLinkedConsonant(cluster: readonly number[], propertiesOf: PropertiesOf): boolean {
  let hasLinker = false;
  for (let at = cluster.length - 1; at >= 0; at -= 1) {
    const found = clusterClassOf(cluster[at] as number, propertiesOf);
    if (found === C.consonant) return hasLinker;
    if (found === C.linker) hasLinker = true;
    else if (found !== C.extendConjunct && found !== C.zeroWidthJoiner) return false;
  }
  return false;
}

/** Checks GB11: a pictograph, then extending characters, then a joiner. */
function endsInJoinedPictograph(cluster: readonly number[], propertiesOf: PropertiesOf): boolean {
  if (clusterClassOf(cluster.at(-1) ?? 0, propertiesOf) !== C.zeroWidthJoiner) return false;
  for (let at = cluster.length - 2; at >= 0; at -= 1) {
    const found = clusterClassOf(cluster[at] as number, propertiesOf);
    if (found === C.pictographic) return true;
    if (found !== C.extend && found !== C.extendConjunct && found !== C.linker) return false;
  }
  return false;
}

/** Checks GB12 and GB13: indicators form pairs. A cluster has at most two, one after the other. */
function endsInSingleIndicator(cluster: readonly number[], propertiesOf: PropertiesOf): boolean {
  let indicators = 0;
  for (let at = cluster.length - 1; at >= 0; at -= 1) {
    if (clusterClassOf(cluster[at] as number, propertiesOf) !== C.regionalIndicator) break;
    indicators += 1;
  }
  return indicators % 2 === 1;
}
