/* The data library of ICU with the data in DATA alone, under the name SYMBOL. */
        .section .rodata
        .balign 16
        .globl SYMBOL
        .type SYMBOL, %object
SYMBOL: .incbin DATA
        .size SYMBOL, . - SYMBOL
        .section .note.GNU-stack,"",%progbits
