import type { BundleContext } from './bundles/context.ts'
import type { CatalogueContext } from './catalogue/context.ts'
import type { Signatures } from './catalogue/signatures.ts'

export interface RegistryContext extends CatalogueContext, BundleContext {
  readonly signatures: Signatures
}
