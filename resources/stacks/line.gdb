# Takes the GIL and runs a line of Python, where the main thread waits in the kernel: see pythonLineScript().
set var REGISTER = REGISTER ^ 1
set var REGISTER = REGISTER ^ 1
if $_isvoid($hasAsked) && KERNEL
  set scheduler-locking off
  set unwindonsignal on
  set $gil = ((int (*)(void)) PyGILState_Ensure)()
  call ((int (*)(const char *)) PyRun_SimpleString)("import faulthandlerLINESwith open('FILE', 'w') as file: faulthandler.dump_traceback(file)\n")
  call ((void (*)(int)) PyGILState_Release)($gil)
end
