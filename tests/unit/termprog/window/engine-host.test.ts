import { expect, test } from 'vitest';
import { createEngineHost } from '../../../../src/termprog/window/engine-host.ts';
import { optionsWith } from '../options/options-with.ts';

function start(values: Record<string, string> = {}) {
  const options = optionsWith(values);
  const host = createEngineHost({
    options,
    send: () => {},
    ring: () => {},
    setLabel: () => {},
    metrics: () => ({ cell: { width: 6, height: 13 }, area: { width: 480, height: 312 } }),
    tellFailure: () => {},
  });
  return { options, host };
}

for (const [allowTitleOps, allowSendEvents, expected] of [
  ['true', 'false', true],
  ['false', 'false', false],
  ['true', 'true', false],
  ['false', 'true', false],
] as const) {
  test(`with allowTitleOps ${allowTitleOps} and allowSendEvents ${allowSendEvents} titles may ${expected ? '' : 'not '}change`, () => {
    expect(start({ allowTitleOps, allowSendEvents }).host.permits('SetTitle')).toBe(expected);
  });
}

test('a permission and the answerback take effect when they change', () => {
  const { options, host } = start({ answerbackString: 'old' });
  expect([host.permits('SetTitle'), host.answerback()]).toEqual([true, 'old']);
  options.set('allowTitleOps', false);
  options.set('answerbackString', 'new');
  expect([host.permits('SetTitle'), host.answerback()]).toEqual([false, 'new']);
});
