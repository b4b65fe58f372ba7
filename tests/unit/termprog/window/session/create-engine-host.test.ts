import { expect, test } from 'vitest';
import { createEngineHost } from '../../../../../src/termprog/window/session/create-engine-host.ts';
import { QUIET_HOST } from '../../../../harness/terminal-engine.ts';
import { optionsWith } from '../../options/options-with.ts';

function start(values: Record<string, string> = {}) {
  const options = optionsWith(values);
  const host = createEngineHost({
    options,
    colors: QUIET_HOST.colors,
    selections: QUIET_HOST.selections,
    send: () => {},
    ring: () => {},
    setLabel: () => {},
    label: () => '',
    metrics: () => ({
      cell: { width: 6, height: 13 },
      area: { width: 480, height: 312 },
      window: { width: 484, height: 316 },
    }),
    changeCompleted: () => {},
    highlight: () => {},
    notify: () => {},
    shellMarked: () => {},
    logFailure: () => {},
  });
  return { options, host };
}

test('a permission and the answerback take effect when they change', () => {
  const { options, host } = start({ answerbackString: 'old' });
  expect([host.permits('SetTitle'), `${host.answerback()}`]).toEqual([true, 'old']);
  options.set('allowTitleOps', false);
  options.set('answerbackString', 'new');
  expect([host.permits('SetTitle'), `${host.answerback()}`]).toEqual([false, 'new']);
});
