import type { BundleContext } from './bundles/context.ts'
import type { CatalogueContext } from './catalogue/context.ts'
import type { Signatures } from './catalogue/signatures.ts'
import type { Embedder } from './embeddings/embedder.ts'

export interface RegistryContext extends CatalogueContext, BundleContext {
  readonly signatures: Signatures
  /** Makes vectors of tasks and skills, where the operator has named a service for it. */
  readonly embeddings: Embedder | undefined
}
