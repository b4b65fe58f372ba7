/**
 * All spellings of our one resource: URL libraries add a slash, and some clients name the endpoint.
 * @see RFC 8707 §2
 */
export function resourceVariants(baseUrl: string): string[] {
  return [baseUrl, `${baseUrl}/`, `${baseUrl}/mcp`, `${baseUrl}/mcp/`];
}
