// pipe2, SIGWINCH.
#define _GNU_SOURCE
#include "CNcurses.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Signals that become events. The handler only notes the number and wakes the loop's poll().
static const int eventSignals[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT};
#define EVENT_SIGNALS (sizeof eventSignals / sizeof *eventSignals)
static struct sigaction formerActions[EVENT_SIGNALS];
static struct sigaction formerPipeAction;
static volatile sig_atomic_t pending[65];
static int pipeEnds[2] = {-1, -1};

static void note(int number) {
    int savedErrno = errno;
    pending[number] = 1;
    char byte = 0;
    // A full pipe is as good: the loop wakes up.
    ssize_t written = write(pipeEnds[1], &byte, 1);
    (void)written;
    errno = savedErrno;
}

int tl_signals_install(void) {
    if (pipeEnds[0] >= 0) return pipeEnds[0];
    if (pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0) {
        pipeEnds[0] = pipeEnds[1] = -1;
        return -1;
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    for (size_t index = 0; index < EVENT_SIGNALS; index++) {
        pending[eventSignals[index]] = 0;
        sigaction(eventSignals[index], NULL, &formerActions[index]);
        // nohup, and shells without job control, have signals ignored; that is to be respected.
        int isIgnored = !(formerActions[index].sa_flags & SA_SIGINFO) && formerActions[index].sa_handler == SIG_IGN;
        if (isIgnored && eventSignals[index] != SIGWINCH && eventSignals[index] != SIGCONT) continue;
        sigaction(eventSignals[index], &action, NULL);
    }
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, &formerPipeAction);
    return pipeEnds[0];
}

uint64_t tl_signals_take(void) {
    char bytes[64];
    while (pipeEnds[0] >= 0 && read(pipeEnds[0], bytes, sizeof bytes) > 0) {}
    uint64_t taken = 0;
    for (size_t index = 0; index < EVENT_SIGNALS; index++) {
        int number = eventSignals[index];
        if (pending[number]) {
            pending[number] = 0;
            taken |= (uint64_t)1 << number;
        }
    }
    return taken;
}

void tl_signals_remove(void) {
    if (pipeEnds[0] < 0) return;
    for (size_t index = 0; index < EVENT_SIGNALS; index++) sigaction(eventSignals[index], &formerActions[index], NULL);
    sigaction(SIGPIPE, &formerPipeAction, NULL);
    close(pipeEnds[0]);
    close(pipeEnds[1]);
    pipeEnds[0] = pipeEnds[1] = -1;
}

int tl_stop(int group) {
    struct sigaction ours, action;
    sigaction(SIGTSTP, NULL, &ours);
    if (ours.sa_handler == SIG_IGN) return 0;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    if (group) {
        // The others of the pipeline first; we stop by ourselves, in this thread, so that nothing runs on meanwhile.
        action.sa_handler = SIG_IGN;
        sigaction(SIGTSTP, &action, NULL);
        kill(0, SIGTSTP);
    }
    action.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &action, NULL);
    pthread_kill(pthread_self(), SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
    return 1;
}

int tl_run(char *const *arguments, int input, int output) {
    struct sigaction ours, action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, NULL, &ours);
    if (ours.sa_handler != SIG_IGN) sigaction(SIGTSTP, &action, NULL);

    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&files);
    // Caught signals are reset by exec; ignored and blocked ones are not.
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    // Standard input may be data.
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    pid_t process;
    int result = 127;
    if (posix_spawnp(&process, arguments[0], &files, &attributes, arguments, environ) == 0) {
        int status = 0;
        pid_t ended;
        do ended = waitpid(process, &status, 0);
        while (ended < 0 && errno == EINTR);
        result = ended < 0 ? 127 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    sigaction(SIGTSTP, &ours, NULL);
    return result;
}

// --- The terminal is given back whatever happens.

static const int fatalSignals[] = {SIGILL,  SIGTRAP, SIGSEGV,   SIGABRT, SIGBUS,  SIGFPE,  SIGSYS,
                                   SIGUSR1, SIGUSR2, SIGALRM,   SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ};
#define FATAL_SIGNALS (sizeof fatalSignals / sizeof *fatalSignals)
static struct sigaction formerFatalActions[FATAL_SIGNALS];
static volatile sig_atomic_t isArmed;
static int hasExitHandler, hasFatalHandlers;
static int restoreDescriptor = -1;
static struct termios restoreModes;
static char restoreBytes[1024];
static size_t restoreCount;
// A stack of its own: an endless recursion has none left.
static char alternateStack[16384];

// Only write, tcsetattr and sigprocmask: all async-signal-safe.
static void restore(void) {
    if (!isArmed) return;
    isArmed = 0;
    sigset_t background;
    sigemptyset(&background);
    sigaddset(&background, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &background, NULL);
    size_t done = 0;
    while (done < restoreCount) {
        ssize_t count = write(restoreDescriptor, restoreBytes + done, restoreCount - done);
        if (count > 0) done += (size_t)count;
        else if (errno != EINTR) break;
    }
    tcsetattr(restoreDescriptor, TCSANOW, &restoreModes);
}

static void die(int number) {
    restore();
    signal(number, SIG_DFL);
    // It is blocked while its handler runs and kills us on return; a fault would come again by itself, raise() would not.
    raise(number);
}

void tl_restore_arm(int descriptor, const struct termios *modes, const char *bytes, size_t count) {
    isArmed = 0;
    restoreDescriptor = descriptor;
    restoreModes = *modes;
    restoreCount = count < sizeof restoreBytes ? count : sizeof restoreBytes;
    memcpy(restoreBytes, bytes, restoreCount);
    if (!hasExitHandler) hasExitHandler = atexit(restore) == 0;
    if (!hasFatalHandlers) {
        stack_t stack = {.ss_sp = alternateStack, .ss_size = sizeof alternateStack, .ss_flags = 0};
        sigaltstack(&stack, NULL);
        struct sigaction action;
        memset(&action, 0, sizeof action);
        sigemptyset(&action.sa_mask);
        action.sa_handler = die;
        action.sa_flags = SA_ONSTACK;
        for (size_t index = 0; index < FATAL_SIGNALS; index++) {
            sigaction(fatalSignals[index], &action, &formerFatalActions[index]);
        }
        hasFatalHandlers = 1;
    }
    isArmed = 1;
}

void tl_restore_disarm(void) {
    isArmed = 0;
    if (!hasFatalHandlers) return;
    for (size_t index = 0; index < FATAL_SIGNALS; index++) sigaction(fatalSignals[index], &formerFatalActions[index], NULL);
    hasFatalHandlers = 0;
}
