import { expect, test } from 'vitest';
import { spawnTermprog } from '../../harness/start-termprog.ts';
import { runSelfTest } from './self-test-lines.ts';

test('without a display the lines of the self-test about it fail, the others do not, and the status is 1', async () => {
  const { status, verdicts, texts } = await runSelfTest({ DISPLAY: undefined });

  expect(status).toBe(1);
  expect(texts.get('X server')).toMatch(/^no X server is named/);
  expect(texts.get('RENDER')).toBe('there is no X server to ask');
  expect([...verdicts].filter(([, verdict]) => verdict === 'failed').map(([name]) => name)).toEqual([
    ...['X server', 'RENDER', 'RANDR', 'XKEYBOARD', 'BIG-REQUESTS', 'bitmap font', 'font at the start'],
  ]);
});

test('without a display -welcome is one line and status 1', async () => {
  const welcome = spawnTermprog(['-welcome'], { DISPLAY: undefined });

  expect((await welcome.ended).exitCode).toBe(1);
  expect(welcome.output()).toBe('termprog: no X server is named: set DISPLAY or use -display, such as -display :0\n');
});
