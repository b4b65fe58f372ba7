/** No script, no frame, nothing from elsewhere; forms go to us, and may redirect to `formTarget`. */
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
