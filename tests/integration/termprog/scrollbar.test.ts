import { expect } from 'vitest';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { becomeEqual, SCROLLBAR_WIDTH, startBoth, TEXT_WIDTH } from './beside-xterm.ts';

test('scrollBar shows a scrollbar on the left, and the text right of it, as the reference terminal', async ({
  desktop,
}) => {
  verifies('termprog.resource.scrollBar', 'termprog.option.sb');
  await using both = await startBoth(desktop, ['-sb']);
  await becomeEqual(both);
  expect((await both.ours.screenshot()).width).toBe(TEXT_WIDTH + SCROLLBAR_WIDTH);
});

for (const side of ['-leftbar', '-rightbar']) {
  test(`with ${side} its buttons scroll, its thumb can be dragged, and the wheel turns it`, async ({ desktop }) => {
    await using both = await startBoth(desktop, ['-sb', side]);
    await becomeEqual(both);
    const x = side === '-leftbar' ? 7 : TEXT_WIDTH + 8;
    const click = async (button: number, y: number): Promise<void> => {
      for (const { window } of [both.ours, both.theirs]) {
        await desktop.run('xdotool', 'mousemove', '--window', `${window}`, `${x}`, `${y}`, 'click', `${button}`);
      }
      await desktop.run('xdotool', 'mousemove', '900', '700');
      await becomeEqual(both);
    };
    await click(3, 100);
    await click(1, 30);
    await click(4, 80);
    await click(5, 5);
    await click(2, 70);
    for (const { window } of [both.ours, both.theirs]) {
      const place = ['mousemove', '--window', `${window}`, `${x}`];
      await desktop.run('xdotool', ...place, '40', 'mousedown', '2', ...place, '60', ...place, '-30', 'mouseup', '2');
    }
    await desktop.run('xdotool', 'mousemove', '900', '700');
    await becomeEqual(both);
    await click(2, 155);
    await click(1, 155);
  });
}
