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

/** `WIDTHxHEIGHT+X+Y`, also with a leading `=`; undefined when the text is something else. */
export function parseGeometry(text: string): Geometry | undefined {
  const match = /^=?(\d+)?(?:[xX](\d+))?(?:([+-])([+-]?\d+)([+-])([+-]?\d+))?$/.exec(text.trim());
  if (match === null || text.trim() === '') return undefined;
  const [, width, height, xSign, x, ySign, y] = match;
  return {
    ...(width !== undefined && { width: Number(width) }),
    ...(height !== undefined && { height: Number(height) }),
    ...(x !== undefined && { x: { distance: Number(x), fromFarEdge: xSign === '-' } }),
    ...(y !== undefined && { y: { distance: Number(y), fromFarEdge: ySign === '-' } }),
  };
}
