import { expect, test } from 'vitest';
import { OutlineFontsUnavailableError } from '../../../../../src/termprog/errors.ts';
import { FACE, SLOT } from '../../../../../src/termprog/fonts/outline/freetype.ts';
import type { NativeMemory } from '../../../../../src/termprog/fonts/outline/libraries.ts';
import { checkDrawing } from '../../../../../src/termprog/fonts/outline/self-check.ts';
import { openEnvironment } from './open-fonts.ts';

/** The check of a FreeType whose structures look different. */
function checkWith(change: (bytes: Uint8Array<ArrayBuffer>) => void): void {
  const { libraries, freetypeLibrary } = openEnvironment();
  const copy: NativeMemory['copy'] = (address, length) => {
    const bytes = libraries.memory.copy(address, length);
    change(bytes);
    return bytes;
  };
  checkDrawing({ libraries: { ...libraries, memory: { ...libraries.memory, copy } }, freetypeLibrary });
}

test('the FreeType of this machine draws what it should', () => {
  checkWith(() => {});
});

const withLength = (length: number, change: (view: DataView) => void) => (bytes: Uint8Array<ArrayBuffer>) => {
  if (bytes.length === length) change(new DataView(bytes.buffer));
};

test.each([
  ['faces are of another form', withLength(FACE.bytes, (view) => view.setBigUint64(FACE.glyphCount, 12_345n))],
  ['faces have other numbers', withLength(FACE.bytes, (view) => view.setUint16(FACE.unitsPerEm, 1, true))],
  ['pictures are of another size', withLength(SLOT.bytes, (view) => view.setUint32(SLOT.rows, 1e9, true))],
  ['pictures have another place', withLength(SLOT.bytes, (view) => view.setInt32(SLOT.left, 2, true))],
  ['pictures are of another kind', withLength(SLOT.bytes, (view) => view.setUint8(SLOT.pixelMode, 1))],
  ['there is other ink', (bytes: Uint8Array) => void (bytes.length === 56 && bytes.fill(1))],
])('a FreeType is refused where %s', (_, change) => {
  expect(() => checkWith(change)).toThrow(OutlineFontsUnavailableError);
});
