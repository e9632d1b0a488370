/** The key that servers of the tests seal with: the same in every process, as on the nodes of one database. */
export const encryptionKey = Buffer.alloc(32, 'skillpass tests').toString('base64')
