// Runs in a measured server. Replies to each message with the memory used after garbage collection,
// bytes.
process.on('message', () => {
  gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  process.send(heapUsed + arrayBuffers)
})
// The channel must not keep the server running.
process.channel.unref()
