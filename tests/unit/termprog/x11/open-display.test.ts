import { expect, test } from 'vitest';
import { DisplayUnavailableError } from '../../../../src/termprog/errors.ts';
import { connectToDisplay } from '../../../../src/termprog/x11/open-display.ts';

const TOO_HIGH = 'over the network displays have numbers up to 59535';

for (const [displayName, reason] of [
  ['localhost:60000', TOO_HIGH],
  ['tcp/localhost:59536', TOO_HIGH],
  ['localhost:99999', TOO_HIGH],
  [':99999', 'no X server answers there'],
  [':59536', 'no X server answers there'],
] as const) {
  test(`the display ${displayName} can't be opened: ${reason}`, async () => {
    const opened = connectToDisplay({ displayName, hostName: 'host', authorityFile: undefined });

    await expect(opened).rejects.toThrow(DisplayUnavailableError);
    await expect(opened).rejects.toThrow(`can't open the display "${displayName}": ${reason}`);
  });
}

test('a host that is not a name is reported', async () => {
  const displayName = `${'h'.repeat(70_000)}:0`;

  const opened = connectToDisplay({ displayName, hostName: 'host', authorityFile: Buffer.alloc(0) });

  await expect(opened).rejects.toThrow(DisplayUnavailableError);
});
