import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { policyOf } from '../../../../scripts/site/content-security-policy.ts';

test('a page names its own scripts by their hashes, and allows no others', () => {
  const policy = policyOf('<script>one()</script><script type="module" src="/two.js"></script>');
  const hash = createHash('sha256').update('one()').digest('base64');

  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|unsafe|\*/);
});
