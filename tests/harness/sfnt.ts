/** Bytes of a number, the most significant first. */
const bytesOf = (bytes: number, ...values: number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const written = Buffer.alloc(bytes);
      written.writeUIntBE(value < 0 ? value + 2 ** (8 * bytes) : value, 0, bytes);
      return written;
    }),
  );
export const u8 = (...values: number[]): Buffer => bytesOf(1, ...values);
export const u16 = (...values: number[]): Buffer => bytesOf(2, ...values);
export const u32 = (...values: number[]): Buffer => bytesOf(4, ...values);

export const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

/** A font file of tables by their tags, which stand in the order of the alphabet. @see OpenType 1.9, The OpenType Font File */
export function assemble(tables: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(tables);
  const directory = [u32(0x10000), u16(entries.length, 0, 0, 0)];
  let offset = 12 + 16 * entries.length;
  for (const [tag, table] of entries) {
    directory.push(Buffer.from(tag, 'latin1'), u32(0, offset, table.length));
    offset += padded(table).length;
  }
  return Buffer.concat([...directory, ...entries.map(([, table]) => padded(table))]);
}
