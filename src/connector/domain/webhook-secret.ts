const PREFIX = 'whsec_';
/** Length of a symmetric secret of the Standard Webhooks scheme. */
const BYTES_MIN = 24;
const BYTES_MAX = 64;

/** Whether a text is a secret that deliveries can be signed with: `whsec_`, then 24 to 64 bytes in strict base64. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  // Node's decoder skips unknown characters, so the encoded form is compared.
  return bytes.toString('base64') === encoded && bytes.length >= BYTES_MIN && bytes.length <= BYTES_MAX;
}
