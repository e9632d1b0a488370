import { documentOf } from './collection.ts'
import { openSegment } from './segment.ts'
import { type BuildBasis, createSegmentBuilder, type SourceDocument } from './segment-builder.ts'

/** Segments to make one of, as it is handed to another thread. */
export interface MergeJob {
  inputs: { buffer: SharedArrayBuffer; dead: Uint8Array }[]
  basis: BuildBasis
}

const build = createSegmentBuilder()

/** The buffer of one segment that holds the living documents of all inputs. */
export function mergeSegments({ inputs, basis }: MergeJob): SharedArrayBuffer {
  const documents: SourceDocument[] = []
  for (const { buffer, dead } of inputs) {
    const segment = openSegment(buffer)
    for (let document = 0; document < segment.documents; document++) {
      if (dead[document] === 0) documents.push(documentOf(segment, document))
    }
  }
  return build(documents, basis).buffer
}
