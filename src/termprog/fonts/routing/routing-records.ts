import type { ClusterKind } from './cluster-kind.ts';
import type { ClusterRequest, FaceRoute } from './route.ts';

/** Most recorded clusters, in all fonts together. */
const RECORDS_MAX = 1_024;

/** Most refusals in a record. */
const REFUSALS_MAX = 24;

/** A face, or a resource that names one, and the reason for its refusal. */
export interface Refusal {
  readonly face: string;
  readonly reason: string;
}

/** The routing of a cluster. */
export interface RoutingRecord {
  readonly request: ClusterRequest;
  readonly kind: ClusterKind;
  readonly pixelSize: number;
  /** The face that serves; undefined if none of the tried faces does. */
  readonly route: FaceRoute | undefined;
  /** Whether the system's faces were tried too; otherwise the glyph is drawn from the geometry of the cell. */
  readonly askedSystem: boolean;
  readonly refusals: readonly Refusal[];
}

/** Records routing decisions. */
export interface RoutingNotes {
  note(record: RoutingRecord): void;
}

const KIND_WORDS: Readonly<Record<ClusterKind, string>> = {
  emoji: 'emoji',
  emojiText: 'emoji as text',
  han: 'Han',
  text: 'text',
};

/**
 * The last decisions about fonts, one per cluster, style and size. They are sorted, so that they reveal which
 * characters were shown but not in which order.
 * @spec termprog#terminal-widget-resources-termvt100 reportFontRouting
 */
export class RoutingRecords implements RoutingNotes {
  readonly #records = new Map<string, RoutingRecord>();
  #forgotten = 0;

  note(record: RoutingRecord): void {
    const key = keyOf(record);
    const before = this.#records.get(key);
    const refusals = [...(before?.askedSystem === false ? before.refusals : []), ...record.refusals];
    // Deleted first, so that it becomes the newest one.
    this.#records.delete(key);
    this.#records.set(key, { ...record, refusals: refusals.slice(0, REFUSALS_MAX) });
    if (this.#records.size <= RECORDS_MAX) return;
    const [oldest] = this.#records.keys();
    if (oldest !== undefined) this.#records.delete(oldest);
    this.#forgotten += 1;
  }

  /** Returns lines of text: a head, then one per record. */
  format(): string[] {
    const records = [...this.#records.values()].sort(compare);
    const forgotten = this.#forgotten === 0 ? '' : `, and ${this.#forgotten} older ones that were forgotten`;
    return [`decisions about fonts: ${records.length}${forgotten}`, ...records.map(formatRecord)];
  }
}

function formatRecord({ request, kind, pixelSize, route, askedSystem, refusals }: RoutingRecord): string {
  const style = [request.isBold ? ' bold' : '', request.isItalic ? ' italic' : ''].join('');
  const head = `${codesOf(request)} ${KIND_WORDS[kind]}${style}, ${request.cells === 2 ? '2 cells' : '1 cell'}`;
  const refused = refusals.map(({ face, reason }) => `; ${face} ${reason}`).join('');
  const size = Number(pixelSize.toFixed(2));
  return `  ${head} at ${size} pixels: ${formatOutcome(route, askedSystem)}${refused}`;
}

function formatOutcome(route: FaceRoute | undefined, askedSystem: boolean): string {
  if (route === undefined) return askedSystem ? 'placeholder box' : 'from the geometry of the cell';
  const { face, role, scale, isColor } = route;
  const index = face.index === 0 ? '' : `:${face.index}`;
  const fitted = scale === 1 ? '' : `, scaled by ${scale.toFixed(3)}`;
  return `${role}, ${face.family} ${face.style} (${face.file}${index})${isColor ? ', in colours' : ''}${fitted}`;
}

function codesOf({ codePoints }: ClusterRequest): string {
  return codePoints.map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`).join(' ');
}

function keyOf({ request: { codePoints, cells, isBold, isItalic }, pixelSize }: RoutingRecord): string {
  return [pixelSize, cells, isBold ? 1 : 0, isItalic ? 1 : 0, ...codePoints].join(' ');
}

/** Orders by code points, then by style and size. */
function compare(a: RoutingRecord, b: RoutingRecord): number {
  for (const [index, code] of a.request.codePoints.entries()) {
    const difference = code - (b.request.codePoints[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.request.codePoints.length - b.request.codePoints.length || (keyOf(a) < keyOf(b) ? -1 : 1);
}
