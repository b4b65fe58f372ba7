import type { Family, Labels } from './family.ts';

/** Content type of `formatFamilies`' text; scrapers refuse a missing or unknown one. */
export const TEXT_FORMAT_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Writes families in the Prometheus text format 0.0.4, each with its HELP and TYPE line; families without samples are left out. */
export function formatFamilies(families: readonly Family[]): string {
  let text = '';
  for (const { name, type, help, samples } of families) {
    if (samples.length === 0) continue;
    text += `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
    for (const { labels, value } of samples) text += `${name}${formatLabels(labels)} ${formatValue(value)}\n`;
  }
  return text;
}

/** A double in the format's spelling. Finite ones have JavaScript's, which every reader of the format accepts. */
export function formatValue(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

/** A label value without its quotes; malformed Unicode becomes U+FFFD, because one such value voids a whole scrape. */
export function escapeLabelValue(value: string): string {
  // Most values need no escape.
  if (!/[\\"\n\ud800-\udfff]/.test(value)) return value;
  return value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function formatLabels(labels: Labels): string {
  let text = '';
  for (const name in labels) text += `${text === '' ? '{' : ','}${name}="${escapeLabelValue(labels[name] ?? '')}"`;
  return text === '' ? '' : `${text}}`;
}

function escapeHelp(help: string): string {
  if (!help.includes('\\') && !help.includes('\n')) return help;
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
