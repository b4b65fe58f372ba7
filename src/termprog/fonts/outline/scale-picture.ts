/** A picture of bytes, `channels` of them a pixel, rows without padding. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 4;
  readonly pixels: Uint8Array;
}

/**
 * A picture at another size, of at least one pixel. Every new pixel is the mean of the area it covers, so that none of
 * the old ones gets lost; colours have to be premultiplied by their alpha.
 */
export function scalePicture(picture: Picture, width: number, height: number): Picture {
  if (width === picture.width && height === picture.height) return picture;
  return scaleRows(scaleColumns(picture, width), height);
}

function scaleColumns({ width, height, channels, pixels }: Picture, newWidth: number): Picture {
  const scaled = new Uint8Array(newWidth * height * channels);
  for (const [x, parts] of areas(width, newWidth).entries()) {
    for (let y = 0; y < height; y++) {
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        for (const { at, share } of parts) sum += (pixels[(y * width + at) * channels + channel] ?? 0) * share;
        scaled[(y * newWidth + x) * channels + channel] = Math.round(sum);
      }
    }
  }
  return { width: newWidth, height, channels, pixels: scaled };
}

function scaleRows({ width, height, channels, pixels }: Picture, newHeight: number): Picture {
  const stride = width * channels;
  const scaled = new Uint8Array(stride * newHeight);
  for (const [y, parts] of areas(height, newHeight).entries()) {
    for (let x = 0; x < stride; x++) {
      let sum = 0;
      for (const { at, share } of parts) sum += (pixels[at * stride + x] ?? 0) * share;
      scaled[y * stride + x] = Math.round(sum);
    }
  }
  return { width, height: newHeight, channels, pixels: scaled };
}

/** Which of `from` pixels in a line each of `to` pixels covers, and how much of its own area each makes up. */
function areas(from: number, to: number): { at: number; share: number }[][] {
  const step = from / to;
  return Array.from({ length: to }, (_, pixel) => {
    const start = pixel * step;
    const end = start + step;
    const parts = [];
    for (let at = Math.floor(start); at < Math.min(Math.ceil(end), from); at++) {
      const covered = Math.min(end, at + 1) - Math.max(start, at);
      if (covered > 0) parts.push({ at, share: covered / step });
    }
    return parts;
  });
}
