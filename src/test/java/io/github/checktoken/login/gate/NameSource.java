package io.github.checktoken.login.gate;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/** Follows a value to the instruction that has made it, or to the parameter, through variables and casts. */
final class NameSource extends SourceInterpreter {

    /** Stands for the value that a method gets in this variable. */
    static final class Parameter extends VarInsnNode {

        private Parameter(int variable) {
            super(Opcodes.ALOAD, variable);
        }

        /** @return the parameter's place, where 0 is the last one */
        int fromLast(int access, String descriptor) {
            Type[] types = Type.getArgumentTypes(descriptor);
            int variable = (access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
            for (int i = 0; i < types.length; i++) {
                if (variable == var) {
                    return types.length - 1 - i;
                }
                variable += types[i].getSize();
            }
            throw new IllegalStateException("no parameter: " + var + " of " + descriptor);
        }
    }

    NameSource() {
        super(Opcodes.ASM9);
    }

    static boolean isText(InvokeDynamicInsnNode dynamic) {
        return dynamic.name.equals("makeConcatWithConstants");
    }

    @Override
    public SourceValue newParameterValue(boolean isInstanceMethod, int local, Type type) {
        return new SourceValue(type.getSize(), new Parameter(local));
    }

    @Override
    public SourceValue copyOperation(AbstractInsnNode instruction, SourceValue value) {
        return value;
    }

    @Override
    public SourceValue unaryOperation(AbstractInsnNode instruction, SourceValue value) {
        return instruction.getOpcode() == Opcodes.CHECKCAST ? value : super.unaryOperation(instruction, value);
    }
}
