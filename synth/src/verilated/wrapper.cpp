#include "Vharness.h"
#if TRACE
#include "verilated_vcd_c.h"
#endif

struct Model {
  VerilatedContext context;
  Vharness top{&context};
  uint64_t words[WORDS] = {};
#if TRACE
  VerilatedVcdC *file = nullptr;
  uint64_t time = 0;
  void dump() {
    if (file) file->dump(time);
    time++;
  }
  void end_trace() {
    if (file) file->close();
    delete file;
    file = nullptr;
  }
#else
  void dump() {}
#endif

  // One cycle; the outputs are those before the edge.
  void step() {
    /*DRIVE*/
    top.clock = 0;
    top.eval();
    /*SAMPLE*/
    dump();
    top.clock = 1;
    top.eval();
    dump();
  }
};

extern "C" {
void *warploom_create() { return new Model; }
void warploom_destroy(void *model) {
  auto *m = static_cast<Model *>(model);
#if TRACE
  m->end_trace();
#endif
  m->top.final();
  delete m;
}
uint64_t *warploom_words(void *model) { return static_cast<Model *>(model)->words; }
void warploom_step(void *model) { static_cast<Model *>(model)->step(); }
#if TRACE
void warploom_trace(void *model, const char *path) {
  auto *m = static_cast<Model *>(model);
  m->end_trace();
  m->context.traceEverOn(true);
  m->file = new VerilatedVcdC;
  m->top.trace(m->file, 99);
  m->file->open(path);
}
void warploom_end_trace(void *model) { static_cast<Model *>(model)->end_trace(); }
#endif
}
