/*
 * Sends requests over keep-alive connections and prints, as JSON, what became of them: first as fast as
 * CONNECTIONS callers who each wait for their answer (the capacity), then FACTOR times that rate whether
 * answers come or not (an open loop), then half of the capacity. Callers of the open loop leave after 2 s;
 * latency counts from when a request was due, so a generator that is late does not flatter the server.
 *
 * storm PORT FILE CONNECTIONS WARM_UP_SECONDS CAPACITY_SECONDS FACTOR STORM_SECONDS AFTER_SECONDS CAPACITY
 *
 * A CAPACITY other than 0, a second, takes the place of the measured one.
 * FILE holds whole HTTP/1.1 requests, each behind its length in bytes and a line feed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 16000, MOST_HEAD = 8192, BUCKETS_PER_SECOND = 10, MOST_SECONDS = 120 };

static const double patience = 2.0;

struct text { const char *at; size_t length; };
struct request { double due; int connection; };
struct connection {
  int fd, is_open, is_writing;
  long request; /* which it carries, or -1 */
  struct text left; /* what is not sent yet */
  char head[MOST_HEAD + 1];
  int head_length, in_body, status, is_chunked, closes;
  long body_left;
  char tail[5]; /* the last bytes of a chunked body */
};
struct bucket { long offered, good, refused, left, broken, count, room; float *ms; };

static struct text *texts;
static long text_count, next_text;
static struct connection *connections;
static int *idle, *unused, idle_count, unused_count, epoll_fd, port, source;
static struct request *requests;
static long request_count, request_room, oldest;
static struct bucket buckets[MOST_SECONDS * BUCKETS_PER_SECOND];
static double phase_start;
static int is_closed_loop;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void fail(const char *what) { perror(what); exit(1); }

static struct bucket *bucket(double at) {
  long i = (long)((at - phase_start) * BUCKETS_PER_SECOND);
  if (i < 0) i = 0;
  long last = MOST_SECONDS * BUCKETS_PER_SECOND - 1;
  return &buckets[i > last ? last : i];
}

static void read_requests(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *all = malloc(size + 1);
  if (!all || fread(all, 1, size, file) != (size_t)size) fail("read");
  all[size] = 0;
  fclose(file);
  long room = 0;
  for (char *at = all; at < all + size;) {
    char *end;
    long length = strtol(at, &end, 10);
    if (text_count == room) texts = realloc(texts, (room = room ? room * 2 : 1024) * sizeof *texts);
    texts[text_count++] = (struct text){end + 1, length};
    at = end + 1 + length;
  }
}

static void watch(int index, int operation) {
  struct connection *c = &connections[index];
  struct epoll_event event = {.events = EPOLLIN | (c->is_writing ? EPOLLOUT : 0), .data.u32 = index};
  epoll_ctl(epoll_fd, operation, c->fd, &event);
}

/* Addresses in turn: one alone would run out of ports while callers leave. */
static void open_connection(int index) {
  struct connection *c = &connections[index];
  memset(c, 0, sizeof *c);
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (c->fd < 0) fail("socket");
  int on = 1;
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(c->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000002 + source++ % 32)};
  bind(c->fd, (struct sockaddr *)&from, sizeof from);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (connect(c->fd, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS) fail("connect");
  c->is_open = 1;
  c->is_writing = 1;
  c->request = -1;
  watch(index, EPOLL_CTL_ADD);
}

static void close_connection(int index) {
  if (!connections[index].is_open) return;
  close(connections[index].fd);
  connections[index].is_open = 0;
  unused[unused_count++] = index;
}

static void write_rest(int index) {
  struct connection *c = &connections[index];
  while (c->left.length > 0) {
    ssize_t sent = send(c->fd, c->left.at, c->left.length, MSG_NOSIGNAL);
    if (sent < 0) break; /* not yet; a broken connection says so when it is read */
    c->left.at += sent;
    c->left.length -= sent;
  }
  int waits = c->left.length > 0;
  if (waits == c->is_writing) return;
  c->is_writing = waits;
  watch(index, EPOLL_CTL_MOD);
}

static void carry(int index, long request) {
  struct connection *c = &connections[index];
  c->request = request;
  c->left = texts[next_text++ % text_count];
  c->head_length = c->in_body = c->is_chunked = c->closes = 0;
  requests[request].connection = index;
  write_rest(index);
}

static void begin(double due) {
  if (request_count == request_room)
    requests = realloc(requests, (request_room = request_room ? request_room * 2 : 65536) * sizeof *requests);
  long request = request_count++;
  requests[request] = (struct request){due, -1};
  bucket(due)->offered++;
  int index;
  /* A connection that was closed while idle is still on the stack. */
  do index = idle_count > 0 ? idle[--idle_count] : -1;
  while (index >= 0 && (!connections[index].is_open || connections[index].request >= 0));
  if (index < 0) {
    if (unused_count == 0) { bucket(due)->broken++; return; }
    open_connection(index = unused[--unused_count]);
  }
  carry(index, request);
}

static int in_loop; /* whether the closed loop goes on */

static void note(struct bucket *b, double ms) {
  if (b->count == b->room) b->ms = realloc(b->ms, (b->room = b->room ? b->room * 2 : 256) * sizeof *b->ms);
  b->ms[b->count++] = ms;
}

static void end_request(int index, int status) {
  struct connection *c = &connections[index];
  double at = now();
  struct request *r = &requests[c->request];
  struct bucket *b = bucket(at);
  c->request = -1;
  r->connection = -1;
  if (status >= 200 && status < 300) { b->good++; note(b, (at - r->due) * 1000); }
  else if (status == 503) b->refused++;
  else b->broken++;
  if (c->is_open && (c->closes || status == 0)) close_connection(index);
  else idle[idle_count++] = index;
  if (is_closed_loop && in_loop) begin(at);
}

static void read_head(struct connection *c, char *end) {
  c->status = atoi(c->head + 9);
  c->in_body = 1;
  c->body_left = 0;
  for (char *line = strstr(c->head, "\r\n"); line && line < end; line = strstr(line, "\r\n")) {
    line += 2;
    if (!strncasecmp(line, "content-length:", 15)) c->body_left = atol(line + 15);
    else if (!strncasecmp(line, "transfer-encoding: chunked", 26)) c->is_chunked = 1;
    else if (!strncasecmp(line, "connection: close", 17)) c->closes = 1;
  }
  memset(c->tail, 0, sizeof c->tail);
}

/* Whether the body has ended with these bytes. */
static int read_body(struct connection *c, const char *bytes, long length) {
  if (!c->is_chunked) return (c->body_left -= length) <= 0;
  for (long i = length > 5 ? length - 5 : 0; i < length; i++) {
    memmove(c->tail, c->tail + 1, 4);
    c->tail[4] = bytes[i];
  }
  return !memcmp(c->tail, "0\r\n\r\n", 5);
}

static void read_answer(int index) {
  static char bytes[1 << 17];
  struct connection *c = &connections[index];
  for (;;) {
    ssize_t got = recv(c->fd, bytes, sizeof bytes, 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      if (c->request >= 0) end_request(index, 0);
      else close_connection(index);
      return;
    }
    if (c->request < 0) continue;
    int is_over;
    if (c->in_body) is_over = read_body(c, bytes, got);
    else {
      long room = MOST_HEAD - c->head_length, taken = got < room ? got : room;
      memcpy(c->head + c->head_length, bytes, taken);
      int before = c->head_length;
      c->head[c->head_length += taken] = 0;
      char *end = strstr(c->head, "\r\n\r\n");
      if (!end) continue;
      read_head(c, end);
      long in_head = end + 4 - c->head - before;
      is_over = read_body(c, bytes + in_head, got - in_head);
    }
    if (!is_over) continue;
    end_request(index, c->status);
    return;
  }
}

static void leave(double at) {
  while (oldest < request_count && requests[oldest].due + patience < at) {
    int index = requests[oldest++].connection;
    if (index < 0) continue;
    bucket(at)->left++;
    connections[index].request = -1;
    close_connection(index);
  }
}

static void wait_until(double at) {
  double rest = at - now();
  if (rest < 0) rest = 0;
  if (rest > 0.05) rest = 0.05;
  struct pollfd ready = {.fd = epoll_fd, .events = POLLIN};
  struct timespec time = {0, (long)(rest * 1e9)};
  if (ppoll(&ready, 1, &time, NULL) <= 0) return;
  struct epoll_event events[256];
  int count = epoll_wait(epoll_fd, events, 256, 0);
  for (int i = 0; i < count; i++) {
    int index = events[i].data.u32;
    struct connection *c = &connections[index];
    if (!c->is_open) continue;
    if (events[i].events & EPOLLOUT) write_rest(index);
    if (events[i].events & (EPOLLIN | EPOLLERR | EPOLLHUP)) read_answer(index);
  }
}

static void clear(void) {
  for (int i = 0; i < MOST_SECONDS * BUCKETS_PER_SECOND; i++)
    buckets[i] = (struct bucket){.ms = buckets[i].ms, .room = buckets[i].room};
  phase_start = now();
}

static int by_size(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return x < y ? -1 : x > y;
}

static double in_order(struct bucket *b, double share) {
  if (b->count == 0) return 0;
  qsort(b->ms, b->count, sizeof *b->ms, by_size);
  long at = (long)ceil(share * b->count) - 1;
  return b->ms[at < 0 ? 0 : at];
}

static void gather(struct bucket *sum, struct bucket *b) {
  sum->offered += b->offered, sum->good += b->good, sum->refused += b->refused;
  sum->left += b->left, sum->broken += b->broken;
  for (long i = 0; i < b->count; i++) note(sum, b->ms[i]);
}

static void print_bucket(struct bucket *b) {
  printf("{\"offered\":%ld,\"good\":%ld,\"refused\":%ld,\"left\":%ld,\"broken\":%ld,\"p50\":%.1f,\"p99\":%.1f}",
    b->offered, b->good, b->refused, b->left, b->broken, in_order(b, 0.5), in_order(b, 0.99));
}

static void print_phase(const char *name, int seconds, int per_second) {
  struct bucket all = {0};
  printf("\"%s\":{\"each\":[", name);
  int step = BUCKETS_PER_SECOND / per_second;
  for (int i = 0; i < seconds * per_second; i++) {
    struct bucket sum = {0};
    for (int j = 0; j < step; j++) gather(&sum, &buckets[i * step + j]);
    gather(&all, &sum);
    if (i) printf(",");
    print_bucket(&sum);
    free(sum.ms);
  }
  printf("],\"all\":");
  print_bucket(&all);
  printf("}");
  free(all.ms);
}

static double measure_capacity(int callers, double warm_up, double seconds) {
  is_closed_loop = in_loop = 1;
  clear();
  for (int i = 0; i < callers; i++) begin(now());
  double end = phase_start + warm_up;
  while (now() < end) wait_until(end);
  long started = request_count;
  clear();
  end = phase_start + seconds;
  while (now() < end) wait_until(end);
  in_loop = 0;
  long good = 0;
  for (int i = 0; i < seconds * BUCKETS_PER_SECOND; i++) good += buckets[i].good;
  if (good == 0) { fprintf(stderr, "no good answer of %ld\n", request_count - started); exit(1); }
  print_phase("capacity", (int)seconds, 1);
  end = now() + 1;
  while (now() < end) wait_until(end);
  is_closed_loop = 0;
  oldest = request_count;
  return good / seconds;
}

/* Arrivals of many who know nothing of each other: the times between them are exponential. */
static void offer(double rate, double seconds) {
  clear();
  double end = phase_start + seconds, due = phase_start;
  for (;;) {
    double at = now();
    leave(at);
    for (int burst = 0; due <= at && due < end && burst < 64; burst++) {
      begin(due);
      due += -log(1 - drand48()) / rate;
    }
    if (at >= end && due >= end) return;
    wait_until(due < end ? due : end);
  }
}

int main(int count, char **given) {
  if (count != 10) { fprintf(stderr, "storm PORT FILE CONNECTIONS WARM_UP_SECONDS CAPACITY_SECONDS FACTOR STORM_SECONDS AFTER_SECONDS CAPACITY\n"); return 2; }
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  int most = files.rlim_cur < MOST_CONNECTIONS + 64 ? (int)files.rlim_cur - 64 : MOST_CONNECTIONS;
  port = atoi(given[1]);
  read_requests(given[2]);
  connections = calloc(most, sizeof *connections);
  idle = calloc(1 << 24, sizeof *idle);
  unused = calloc(most * 2, sizeof *unused);
  for (int i = most - 1; i >= 0; i--) unused[unused_count++] = i;
  epoll_fd = epoll_create1(0);
  printf("{");
  double capacity = measure_capacity(atoi(given[3]), atof(given[4]), atof(given[5]));
  printf(",");
  if (atof(given[9]) > 0) capacity = atof(given[9]);
  offer(capacity * atof(given[6]), atof(given[7]));
  print_phase("storm", atoi(given[7]), 1);
  printf(",");
  offer(capacity / 2, atof(given[8]));
  print_phase("after", atoi(given[8]), BUCKETS_PER_SECOND);
  printf("}\n");
  return 0;
}
