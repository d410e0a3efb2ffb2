//! An assembler for the programs in these tests: a line per instruction, `name:` for labels, `#` for comments.
use std::collections::BTreeMap;

use crate::loader::Program;

/// The program, with its labels as symbols, and the labels.
pub fn assemble(text: &str) -> (Program, BTreeMap<String, u32>) {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let (mut labels, mut code) = (BTreeMap::new(), Vec::new());
    for line in lines.filter(|line| !line.is_empty()) {
        match line.strip_suffix(':') {
            Some(label) => drop(labels.insert(label.to_string(), 4 * code.len() as u32)),
            None => code.push(line),
        }
    }
    let words = code.iter().enumerate().map(|(index, line)| encode(line, 4 * index as u32, &labels)).collect();
    let mut program = Program::from_words("test", words).unwrap_or_else(|e| panic!("{e}\n{text}"));
    program.symbols = labels.iter().map(|(name, address)| (*address, name.clone())).collect();
    (program, labels)
}

fn encode(line: &str, pc: u32, labels: &BTreeMap<String, u32>) -> u32 {
    let (name, operands) = line.split_once(' ').unwrap_or((line, ""));
    let operands: Vec<&str> = operands.split([',', '(', ')']).map(str::trim).filter(|text| !text.is_empty()).collect();
    let register = |index: usize| {
        let number = operands[index].strip_prefix('x').and_then(|number| number.parse::<u32>().ok());
        number.unwrap_or_else(|| panic!("{line}: {} is no register", operands[index]))
    };
    let number = |index: usize| operands[index].parse::<i32>().unwrap_or_else(|e| panic!("{line}: {e}")) as u32;
    let distance =
        |index: usize| labels.get(operands[index]).unwrap_or_else(|| panic!("{line}: no such label")).wrapping_sub(pc);
    let immediate = |opcode: u32, funct3: u32, rd: u32, rs1: u32, value: u32| {
        (value & 0xFFF) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
    };
    let jump = |rd: u32, target: usize| {
        let offset = distance(target);
        let bits = |from: u32, count: u32| offset >> from & ((1 << count) - 1);
        bits(20, 1) << 31 | bits(1, 10) << 21 | bits(11, 1) << 20 | bits(12, 8) << 12 | rd << 7 | 0x6F
    };
    let atomic =
        |funct5: u32, rs2: u32, rs1: u32| funct5 << 27 | rs2 << 20 | rs1 << 15 | 2 << 12 | register(0) << 7 | 0x2F;
    match name {
        "amoadd" => atomic(0, register(1), register(2)),
        "amoswap" => atomic(1, register(1), register(2)),
        "lr" => atomic(2, 0, register(1)),
        "sc" => atomic(3, register(1), register(2)),
        "li" => immediate(0x13, 0, register(0), 0, number(1)),
        "addi" => immediate(0x13, 0, register(0), register(1), number(2)),
        "auipc" => register(0) << 7 | 0x17,
        "slli" => immediate(0x13, 1, register(0), register(1), number(2)),
        "lui" => number(1) << 12 | register(0) << 7 | 0x37,
        "sw" => {
            let offset = number(1);
            offset >> 5 << 25 | register(0) << 20 | register(2) << 15 | 2 << 12 | (offset & 31) << 7 | 0x23
        }
        "add" => register(2) << 20 | register(1) << 15 | register(0) << 7 | 0x33,
        "lw" => immediate(0x03, 2, register(0), register(2), number(1)),
        "csrr" => {
            let names =
                ["tid", "", "", "ctaid", "", "", "ntid", "", "", "nctaid", "", "", "lane", "warp", "core", "args"];
            let csr = names.iter().position(|name| *name == operands[1]).expect("a CSR");
            immediate(0x73, 2, register(0), 0, 0xCC0 + csr as u32)
        }
        "beq" | "bne" | "bltu" => {
            let funct3 = ["beq", "bne", "", "", "", "", "bltu"].iter().position(|other| *other == name);
            let (offset, funct3) = (distance(2), funct3.expect("a branch") as u32);
            let bits = |from: u32, count: u32| offset >> from & ((1 << count) - 1);
            let offset = bits(12, 1) << 31 | bits(5, 6) << 25 | bits(1, 4) << 8 | bits(11, 1) << 7;
            offset | register(1) << 20 | register(0) << 15 | funct3 << 12 | 0x63
        }
        "j" => jump(0, 0),
        "call" => jump(1, 0),
        "calli" => immediate(0x67, 0, 1, register(0), 0),
        "jalr" => immediate(0x67, 0, register(0), register(2), number(1)),
        "ecall" => 0x0000_0073,
        "ret" => 0x0000_8067,
        "nop" => 0x0000_0013,
        "ballot" => register(1) << 15 | 2 << 12 | register(0) << 7 | 0x0B,
        "cpop" => immediate(0x13, 1, register(0), register(1), 0x602),
        "cond_acc.h" | "cond_acc.w" => {
            let funct3 = 1 + u32::from(name.ends_with('w'));
            register(2) << 20 | register(1) << 15 | funct3 << 12 | register(0) << 7 | 0x2B
        }
        "tree_traverse" => number(3) << 25 | register(2) << 20 | register(1) << 15 | 4 << 12 | register(0) << 7 | 0x2B,
        "barrier" => 0x0000_000B,
        "exit" => 0x0000_100B,
        _ => panic!("{line}: unknown"),
    }
}
