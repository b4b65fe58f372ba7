/** No script, no frame, nothing from elsewhere; forms go to us, and on to `formTarget` where one is given. */
export function contentPolicy(formTarget?: string): string {
  const targets = ["'self'", ...(formTarget === undefined ? [] : [formTarget])].join(' ');
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${targets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
