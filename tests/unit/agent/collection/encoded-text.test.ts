import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { EncodedText } from '../../../../src/agent/collection/encoded-text.ts';

const body = 'node_load1 0.25\n'.repeat(500);

test('one gzip member holds the body and the tail of each answer', () => {
  const text = new EncodedText(body);

  for (const tail of ['', 'node_time_seconds 1.5\n', 'é'.repeat(30_000)]) {
    expect(gunzipSync(text.gzip(tail)).toString()).toBe(body + tail);
    expect(text.plain(tail).toString()).toBe(body + tail);
  }
});

test('an empty body is a text too', () => {
  expect(gunzipSync(new EncodedText('').gzip()).toString()).toBe('');
});

test('compression makes repetitive text much smaller', () => {
  expect(new EncodedText(body).gzip().length).toBeLessThan(body.length / 10);
});
