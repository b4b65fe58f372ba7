/** A picture with `channels` bytes per pixel, rows without padding. */
export interface PixelPicture {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 4;
  readonly pixels: Uint8Array;
}

/**
 * Scales a picture to another size of at least one pixel. Every new pixel is the mean of the area that it covers, so
 * that no old pixel is lost; colours must be premultiplied by their alpha.
 */
export function scalePicture(picture: PixelPicture, width: number, height: number): PixelPicture {
  if (width === picture.width && height === picture.height) return picture;
  return scaleRows(scaleColumns(picture, width), height);
}

function scaleColumns({ width, height, channels, pixels }: PixelPicture, newWidth: number): PixelPicture {
  const scaled = new Uint8Array(newWidth * height * channels);
  for (let x = 0; x < newWidth; x++) {
    const { first, shares } = areaOf(x, width / newWidth, width);
    for (let y = 0; y < height; y++) {
      for (let channel = 0; channel < channels; channel++) {
        let at = (y * width + first) * channels + channel;
        let sum = 0;
        for (const share of shares) {
          sum += (pixels[at] ?? 0) * share;
          at += channels;
        }
        scaled[(y * newWidth + x) * channels + channel] = sum + 0.5;
      }
    }
  }
  return { width: newWidth, height, channels, pixels: scaled };
}

function scaleRows({ width, height, channels, pixels }: PixelPicture, newHeight: number): PixelPicture {
  const stride = width * channels;
  const scaled = new Uint8Array(stride * newHeight);
  for (let y = 0; y < newHeight; y++) {
    const { first, shares } = areaOf(y, height / newHeight, height);
    for (let x = 0; x < stride; x++) {
      let at = first * stride + x;
      let sum = 0;
      for (const share of shares) {
        sum += (pixels[at] ?? 0) * share;
        at += stride;
      }
      scaled[y * stride + x] = sum + 0.5;
    }
  }
  return { width, height: newHeight, channels, pixels: scaled };
}

/**
 * Returns the old pixels of a line that a new one covers, and the share of its area that each makes up.
 * @param step width of a new pixel in old ones
 * @param count of old ones
 */
function areaOf(pixel: number, step: number, count: number): { first: number; shares: number[] } {
  const start = pixel * step;
  const end = Math.min(start + step, count);
  const first = Math.floor(start);
  const shares = [];
  for (let at = first; at < end; at++) shares.push((Math.min(end, at + 1) - Math.max(start, at)) / step);
  return { first, shares };
}
