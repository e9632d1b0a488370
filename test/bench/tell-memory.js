// Loaded into a server that is measured: collects its garbage at each message and answers what is left, bytes.
process.on('message', () => {
  gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  process.send(heapUsed + arrayBuffers)
})
// Not a reason to stay.
process.channel.unref()
