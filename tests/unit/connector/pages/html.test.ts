import { expect, test } from 'vitest';
import { html } from '../../../../src/connector/pages/html.ts';

test('values in a page are text, unless they are HTML already', () => {
  const part = html`<b title="${'"\'&'}">${'<i>'}</b>`;

  expect(html`${part}${[part]}`.source).toBe('<b title="&quot;&#39;&amp;">&lt;i&gt;</b>'.repeat(2));
});

test('characters that hide or turn around what follows are made visible', () => {
  expect(html`${'a\u202Eb\u0007c'}`.source).toBe('a\uFFFDb\uFFFDc');
});
