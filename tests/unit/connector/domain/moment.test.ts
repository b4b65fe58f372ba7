import { expect, test } from 'vitest';
import { parseMoment } from '../../../../src/connector/domain/moment.ts';

const at = (iso: string) => ({ at: Date.parse(iso) });

for (const [written, moment] of [
  ['2026-01-31T08:00:00Z', at('2026-01-31T08:00:00Z')],
  ['2026-01-31T08:00:00.250Z', at('2026-01-31T08:00:00.250Z')],
  ['2026-01-31T08:00', at('2026-01-31T08:00:00Z')],
  ['2026-01-31 08:00:05', at('2026-01-31T08:00:05Z')],
  ['2026-01-31 08:00 +02:00', at('2026-01-31T06:00:00Z')],
  ['2026-01-31T08:00:00-0530', at('2026-01-31T13:30:00Z')],
  ['2026-01-31', at('2026-01-31T00:00:00Z')],
  ['2028-02-29T24:00', at('2028-03-01T00:00:00Z')],
  ['ent_Ab-_9', { entryId: 'ent_Ab-_9' }],
] as const) {
  test(`${written} is a moment, in UTC where it names no offset`, () => {
    expect(parseMoment(written)).toEqual(moment);
  });
}

for (const written of [
  'yesterday',
  '2026',
  '2026-13-01',
  '2026-01-31T25:00Z',
  '2026-02-31',
  '2026-02-29T08:00:00Z',
  '2026-04-31 08:00 +02:00',
  '31.01.2026',
  'msg_x',
  '1769846400000',
  '',
]) {
  test(`"${written}" is no moment`, () => {
    expect(parseMoment(written)).toBeUndefined();
  });
}
