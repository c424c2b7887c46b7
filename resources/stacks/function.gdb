# Has the stopped thread call the function that faulthandler calls in a signal handler: see pythonFramesScript().
set var REGISTER = REGISTER ^ 1
set var REGISTER = REGISTER ^ 1
set scheduler-locking on
set unwindonsignal on
# The path is below the thread's own data on its stack, and below the data of open(); gdb would allocate a text.
set var {unsigned char[LENGTH]} ($sp - 8192) = {BYTES}
set $frames = ((int (*)(const void *, int)) open)($sp - 8192, 1)
call ((void *(*)(int, void *, void *)) _Py_DumpTracebackThreads)($frames, 0, 0)
call ((int (*)(int)) close)($frames)
set $hasAsked = 1
