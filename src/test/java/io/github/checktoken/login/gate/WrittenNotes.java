package io.github.checktoken.login.gate;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

import org.objectweb.asm.Handle;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * The names of the notes that Keycloak's bytecode writes to authentication sessions: "auth", "client" or "user-session",
 * and the name. A name that begins or ends with a computed part has an asterisk there. Where a name is computed as a
 * whole, the method is given.
 */
final class WrittenNotes {

    private static final Map<String, String> SETTERS =
            Map.of("setAuthNote", "auth", "setClientNote", "client", "setUserSessionNote", "user-session");

    private final SortedSet<String> notes = new TreeSet<>();
    private final Map<String, Writer> writers = new LinkedHashMap<>();

    /** A method that writes a note whose name is its own parameter at this place, counted from the last one. */
    private record Writer(String kind, int fromLast) {}

    static SortedSet<String> of(Collection<ClassNode> classes) throws AnalyzerException {
        WrittenNotes found = new WrittenNotes();
        int known = -1;
        while (known != found.writers.size()) {
            known = found.writers.size();
            found.notes.clear();
            for (ClassNode type : classes) {
                for (MethodNode method : type.methods) {
                    found.read(type, method);
                }
            }
        }
        return found.notes;
    }

    private void read(ClassNode type, MethodNode method) throws AnalyzerException {
        Frame<SourceValue>[] frames = null;
        for (AbstractInsnNode instruction : method.instructions) {
            Writer writer = writer(instruction);
            if (writer == null) {
                continue;
            }
            if (frames == null) {
                frames = new Analyzer<>(new NameSource()).analyze(type.name, method);
            }
            Frame<SourceValue> frame = frames[method.instructions.indexOf(instruction)];
            if (instruction instanceof InvokeDynamicInsnNode) {
                notes.add(writer.kind() + " computed in " + name(type.name, method.name));
            } else if (frame != null) {
                SourceValue name = frame.getStack(frame.getStackSize() - 1 - writer.fromLast());
                name.insns.forEach(source -> add(writer.kind(), source, type, method));
            }
        }
    }

    private Writer writer(AbstractInsnNode instruction) {
        if (instruction instanceof MethodInsnNode call) {
            return writer(call.name, call.desc);
        }
        if (instruction instanceof InvokeDynamicInsnNode dynamic) {
            for (Object argument : dynamic.bsmArgs) {
                if (argument instanceof Handle handle && !handle.getName().startsWith("lambda$")) {
                    return writer(handle.getName(), handle.getDesc());
                }
            }
        }
        return null;
    }

    private Writer writer(String name, String descriptor) {
        String kind = SETTERS.get(name);
        return kind == null ? writers.get(name + descriptor) : new Writer(kind, 1);
    }

    private void add(String kind, AbstractInsnNode source, ClassNode type, MethodNode method) {
        if (source instanceof LdcInsnNode constant) {
            notes.add(kind + " " + constant.cst);
        } else if (source instanceof InvokeDynamicInsnNode text && NameSource.isText(text)) {
            notes.add(kind + " " + ((String) text.bsmArgs[0]).replace('\1', '*'));
        } else if (!SETTERS.containsKey(method.name)) {
            addComputed(kind, source, type, method);
        }
    }

    /** The callers of a method that takes the name as its parameter are looked at as well, unless it is a lambda. */
    private void addComputed(String kind, AbstractInsnNode source, ClassNode type, MethodNode method) {
        notes.add(kind + " computed in " + name(type.name, method.name));
        if (source instanceof NameSource.Parameter parameter && !method.name.startsWith("lambda$")) {
            writers.put(method.name + method.desc, new Writer(kind, parameter.fromLast(method.access, method.desc)));
        }
    }

    private static String name(String type, String method) {
        return type.replaceFirst(".*/", "") + "." + method.replaceFirst("^lambda\\$(.*)\\$.*", "$1");
    }
}
