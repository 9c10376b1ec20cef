package io.venuesync.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** A minimal test runner, because the JDK has no test framework. */
public final class TestRunner {
    private static final List<Class<?>> CLASSES = List.of(
        JsonTests.class, FeatureTests.class, LevelSelectionTests.class, RetryPolicyTests.class, SearchTests.class, SharedSearchTests.class,
        TouchedLevelTests.class, ConformanceTests.class, HostileResponseTests.class, ReportTests.class, FileReplicaStoreTests.class,
        SqliteReplicaStoreTests.class, HttpTransportTests.class, FollowTests.class, TrustTests.class);

    private TestRunner() {}

    /** Arguments: names of test classes, by default all. Exits with 1 if a test fails. */
    public static void main(String[] arguments) {
        int failures = 0;
        int count = 0;
        for (Class<?> tests : CLASSES) {
            if (arguments.length > 0 && !Arrays.asList(arguments).contains(tests.getSimpleName())) {
                continue;
            }
            Method[] methods = tests.getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                Test test = method.getAnnotation(Test.class);
                if (test != null) {
                    count++;
                    failures += run(tests, method, test.value()) ? 0 : 1;
                }
            }
        }
        System.out.printf("%d tests, %d failures%n", count, failures);
        System.exit(failures == 0 && count > 0 ? 0 : 1);
    }

    private static boolean run(Class<?> tests, Method method, String sentence) {
        String name = tests.getSimpleName() + ": " + sentence;
        try {
            method.setAccessible(true);
            var constructor = tests.getDeclaredConstructor();
            constructor.setAccessible(true);
            method.invoke(constructor.newInstance());
            System.out.println("ok: " + name);
            return true;
        } catch (InvocationTargetException error) {
            System.out.println("FAILED: " + name);
            error.getCause().printStackTrace(System.out);
        } catch (ReflectiveOperationException error) {
            System.out.println("FAILED: " + name + ": " + error);
        }
        return false;
    }
}
