/** Of the end record of a zip without a comment (APPNOTE.TXT 4.3.16), and its first four bytes. */
const END_BYTES = 22;
const END_SIGNATURE = 0x06054b50;
/** Of an entry of the directory (4.3.12), before its name. */
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;

/**
 * The files of two zips in one, without unpacking either: equal zips in, equal zip out. For zips as `zipFiles` writes
 * them, below 4 GB and without comments.
 *
 * @throws Error for anything else
 */
export function joinZips(first: Uint8Array, second: Uint8Array): Uint8Array {
  const a = partsOf(first);
  const b = partsOf(second);
  const directory = Buffer.concat([a.directory, movedBy(b.directory, a.files.length)]);
  const end = Buffer.from(a.end);
  const count = a.count + b.count;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(a.files.length + b.files.length, 16);
  return Buffer.concat([a.files, b.files, directory, end]);
}

interface ZipParts {
  readonly files: Buffer;
  readonly directory: Buffer;
  readonly end: Buffer;
  readonly count: number;
}

function partsOf(bytes: Uint8Array): ZipParts {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const endAt = zip.length - END_BYTES;
  if (endAt < 0 || zip.readUInt32LE(endAt) !== END_SIGNATURE) throw notAZip();
  const end = zip.subarray(endAt);
  const directoryAt = end.readUInt32LE(16);
  if (directoryAt + end.readUInt32LE(12) !== endAt) throw notAZip();
  return {
    files: zip.subarray(0, directoryAt),
    directory: zip.subarray(directoryAt, endAt),
    end,
    count: end.readUInt16LE(10),
  };
}

/** A directory whose files lie so many bytes further on. */
function movedBy(directory: Buffer, bytes: number): Buffer {
  const moved = Buffer.from(directory);
  for (let at = 0; at < moved.length; ) {
    if (moved.length - at < ENTRY_BYTES || moved.readUInt32LE(at) !== ENTRY_SIGNATURE) {
      throw notAZip();
    }
    moved.writeUInt32LE(moved.readUInt32LE(at + 42) + bytes, at + 42);
    const lengths = [28, 30, 32].map((field) => moved.readUInt16LE(at + field));
    at += lengths.reduce((sum, length) => sum + length, ENTRY_BYTES);
  }
  return moved;
}

function notAZip(): Error {
  return new Error("the code of a bundle is not a zip as this version writes them");
}
