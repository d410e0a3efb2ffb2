// A testbench of the exported core: gives it a program and what is launched, is its memory, and looks at the result.
//
//   VCore IMAGE     an image as `warploom run KERNEL --image IMAGE` writes it
//
// The ports and the files are described in docs/user/own-testbench.md.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "VCore.h"
#include "verilated.h"

using Words = std::vector<uint32_t>;

constexpr uint32_t GLOBAL_BASE = 0x80000000, PRIVATE_BASE = 0x40000000;
constexpr size_t LINE_WORDS = 4;        // of the preset `tiny`: the number of ports response_data_*
constexpr size_t INSTRUCTION_PORTS = 9; // load_word and those behind it
constexpr size_t GLOBAL_WORDS = 1 << 16, PRIVATE_WORDS = 1 << 16;
constexpr uint64_t LATENCY = 20; // cycles until memory answers
constexpr size_t QUEUE = 4;      // answers that memory can have on their way
constexpr uint64_t MOST_CYCLES = 1000000;

enum Kind { READ, WRITE, ATOMIC }; // request_kind

[[noreturn]] void fail(const std::string &what) {
    std::printf("FAIL: %s\n", what.c_str());
    std::exit(1);
}

std::string hex(uint32_t number) {
    char text[16];
    std::snprintf(text, sizeof text, "%#010x", number);
    return text;
}

// As $readmemh does: numbers, `@` before an index, comments behind `//`.
Words read_hex(const std::string &path) {
    std::ifstream file(path);
    if (!file)
        fail("cannot read " + path);
    Words words;
    size_t next = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream tokens(line.substr(0, line.find("//")));
        for (std::string token; tokens >> token;) {
            if (token[0] == '@') {
                next = std::stoul(token.substr(1), nullptr, 16);
                continue;
            }
            if (words.size() <= next)
                words.resize(next + 1);
            words[next++] = uint32_t(std::stoul(token, nullptr, 16));
        }
    }
    return words;
}

// The word after an atomic; the operations are request_atomic.
uint32_t atomic(unsigned operation, uint32_t old, uint32_t operand) {
    switch (operation) {
    case 4: return operand;
    case 5: return old + operand;
    case 6: return old ^ operand;
    case 7: return old & operand;
    case 8: return old | operand;
    case 9: return uint32_t(std::min(int32_t(old), int32_t(operand)));
    case 10: return uint32_t(std::max(int32_t(old), int32_t(operand)));
    case 11: return std::min(old, operand);
    case 12: return std::max(old, operand);
    default: return old; // lr.w, sc.w: the core keeps the reservation
    }
}

struct Answer {
    uint64_t ready;
    unsigned id;
    std::array<uint32_t, LINE_WORDS> line;
};

class Testbench {
    VerilatedContext context;
    VCore core{&context};
    std::deque<Answer> answers;
    Words private_memory = Words(PRIVATE_WORDS);
    uint64_t now = 0;

    uint32_t *line(uint32_t address) {
        const bool global = address >= GLOBAL_BASE;
        Words &words = global ? memory : private_memory;
        const size_t index = (address - (global ? GLOBAL_BASE : PRIVATE_BASE)) / 4;
        if (index + LINE_WORDS > words.size())
            fail("a request for " + hex(address) + ", where this testbench has no memory");
        return &words[index];
    }

    // Takes effect now; the answer comes later.
    void accept() {
        const std::array<uint32_t, LINE_WORDS> data{core.request_data_0, core.request_data_1, core.request_data_2,
                                                    core.request_data_3};
        const std::array<unsigned, LINE_WORDS> mask{core.request_mask_0, core.request_mask_1, core.request_mask_2,
                                                    core.request_mask_3};
        uint32_t *words = line(core.request_line);
        Answer answer{now + LATENCY, core.request_id, {}};
        std::copy_n(words, LINE_WORDS, answer.line.begin());
        for (size_t word = 0; word < LINE_WORDS && core.request_kind != READ; word++) {
            uint32_t bits = 0;
            for (unsigned byte = 0; byte < 4; byte++)
                bits |= mask[word] >> byte & 1 ? 0xffu << 8 * byte : 0;
            const uint32_t value =
                core.request_kind == WRITE ? data[word] : atomic(core.request_atomic, words[word], data[word]);
            words[word] = (words[word] & ~bits) | (value & bits);
        }
        if (core.request_kind != WRITE)
            answers.push_back(answer);
    }

public:
    Words memory;
    uint64_t instructions = 0;
    bool busy = false;

    VCore &ports() { return core; }
    uint64_t cycles() const { return now; }

    // One clock cycle: inputs are set, all logic settles, outputs are looked at, then comes the edge.
    void cycle() {
        const bool answering = !answers.empty() && answers.front().ready <= now;
        core.response_valid = answering;
        if (answering) {
            core.response_id = answers.front().id;
            core.response_data_0 = answers.front().line[0];
            core.response_data_1 = answers.front().line[1];
            core.response_data_2 = answers.front().line[2];
            core.response_data_3 = answers.front().line[3];
        }
        core.request_ready = answers.size() < QUEUE;
        core.clock = 0;
        core.eval();

        busy = core.busy;
        instructions += core.issue_valid;
        if (core.trap_valid)
            fail("trap " + std::to_string(core.trap_cause) + " at PC " + hex(core.trap_pc));
        if (answering && core.response_ready)
            answers.pop_front();
        if (core.request_valid && core.request_ready)
            accept();

        core.clock = 1;
        core.eval();
        now++;
    }

    void load(const Words &rows) {
        core.reset = 1;
        cycle();
        core.reset = 0;
        core.load_enable = 1;
        for (size_t row = 0; row < rows.size() / INSTRUCTION_PORTS; row++) {
            const uint32_t *value = &rows[row * INSTRUCTION_PORTS];
            core.load_address = row;
            core.load_word = value[0];
            core.load_rpc = value[1];
            core.load_rpc_valid = value[2];
            core.load_lpc = value[3];
            core.load_uniform = value[4];
            core.load_subdividable = value[5];
            core.load_spin = value[6];
            core.load_join = value[7];
            core.load_data_dependent = value[8];
            cycle();
        }
        core.load_enable = 0;
    }

    // These stay as they are until the launch has ended.
    void configure(const Words &value) {
        if (value.size() != 15)
            fail("a launch has 15 values");
        core.kernel_entry_pc = value[0];
        core.kernel_grid_x = value[1];
        core.kernel_grid_y = value[2];
        core.kernel_grid_z = value[3];
        core.kernel_block_x = value[4];
        core.kernel_block_y = value[5];
        core.kernel_block_z = value[6];
        core.kernel_threads_per_cta = value[7];
        core.kernel_warps_per_cta = value[8];
        core.kernel_resident_ctas = value[9];
        core.kernel_arguments = value[10];
        core.kernel_shared_bytes = value[11];
        core.kernel_global_limit = value[12];
        core.kernel_compact = value[13];
        core.kernel_permute = value[14];
    }

    void run() {
        const uint64_t start = now;
        core.launch_start = 1;
        cycle();
        core.launch_start = 0;
        do {
            cycle();
            if (now - start > MOST_CYCLES)
                fail("no end after " + std::to_string(MOST_CYCLES) + " cycles");
        } while (busy);
    }
};

Words global_memory(const std::string &path) {
    Words words = read_hex(path);
    if (words.size() > GLOBAL_WORDS)
        fail(path + " is larger than the memory of this testbench");
    words.resize(GLOBAL_WORDS);
    return words;
}

int main(int argc, char **argv) {
    if (argc != 2)
        fail("usage: VCore IMAGE");
    const std::string image = std::string(argv[1]) + "/";
    Testbench testbench;
    testbench.load(read_hex(image + "program.hex"));
    const uint64_t loaded = testbench.cycles();
    for (int launch = 1;; launch++) {
        const std::string number = std::to_string(launch) + ".hex";
        if (launch > 1 && !std::ifstream(image + "launch" + number)) {
            std::printf("PASS: %s, launches %d, cycles %llu, instructions of warps %llu\n", argv[1], launch - 1,
                        (unsigned long long)(testbench.cycles() - loaded), (unsigned long long)testbench.instructions);
            return 0;
        }
        testbench.memory = global_memory(image + "memory" + number);
        testbench.configure(read_hex(image + "launch" + number));
        testbench.run();
        const Words expected = global_memory(image + "expected" + number);
        for (size_t word = 0; word < GLOBAL_WORDS; word++)
            if (testbench.memory[word] != expected[word])
                fail("launch " + std::to_string(launch) + ": " + hex(testbench.memory[word]) + " at " +
                     hex(uint32_t(GLOBAL_BASE + 4 * word)) + ", expected " + hex(expected[word]));
    }
}
