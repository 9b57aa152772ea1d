"""Where student code runs.

    parent (judges)                                   worker (executes)
    ---------------                                   -----------------
    student.Student     --- wire.Request  ---------->  child: loads the modules, calls, catches
                        <-- wire.Reply    -----------
    launcher.Launcher   starts, limits and stops the worker's whole process tree through supervisor

`child` and `launches` execute inside the worker, `client` and `launcher` in the parent, `supervisor` between them;
both sides send messages of `wire` over a `channel`, and so do MPI ranks. Only data crosses back.
"""
