import { GEOMETRY } from '../../../schemas/termprog/resource-types.ts';

/** A place and size as the user writes it; each part is optional. XParseGeometry(3) */
export interface Geometry {
  width?: number;
  height?: number;
  x?: Offset;
  y?: Offset;
}

/** A distance from the left or top edge, or, with `fromFarEdge`, from the right or bottom one. */
export interface Offset {
  distance: number;
  fromFarEdge: boolean;
}

/** Parses `WIDTHxHEIGHT+X+Y`, also with a leading `=`; undefined for other text. */
export function parseGeometry(text: string): Geometry | undefined {
  const found = text.trim() === '' ? undefined : GEOMETRY.exec(text.trim())?.groups;
  if (found === undefined) return undefined;
  const { width, heightAlone, height = heightAlone, xSign, x, ySign, y } = found;
  return {
    ...(width !== undefined && { width: numberOf(width) }),
    ...(height !== undefined && { height: numberOf(height) }),
    ...(x !== undefined && { x: { distance: numberOf(x), fromFarEdge: xSign === '-' } }),
    ...(y !== undefined && { y: { distance: numberOf(y), fromFarEdge: ySign === '-' } }),
  };
}

/** A sign alone is zero, and so is minus zero. */
function numberOf(text: string): number {
  return Number(text) || 0;
}
